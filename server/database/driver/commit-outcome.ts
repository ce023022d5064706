import { connectionError } from "./connection-error.ts";

/** The routine in which a commit waits for its standby; a notice of it says that the wait was cancelled. */
const WAITS_FOR_STANDBY = "SyncRepWaitForLSN";

/** serialization_failure, deadlock_detected, and class 23, of constraints that are deferred to the commit. */
const CERTAIN = /^(40001|40P01|23...)$/;

/**
 * Returns the error of a statement that was committed here and maybe nowhere else: its wait for the standby was
 * cancelled. PostgreSQL answers it as done, with a notice. Undefined for any other notice.
 */
export function doubtOf(notice: { readonly routine?: string | undefined }): Error | undefined {
  return notice.routine === WAITS_FOR_STANDBY ? connectionError("COMMIT_UNKNOWN", notice) : undefined;
}

/**
 * Returns the error of a `COMMIT` that failed: the same where PostgreSQL says for certain that nothing was written,
 * else one with the code `COMMIT_UNKNOWN`. After a refusal of an earlier statement, which travelled with it, PostgreSQL
 * does not run the `COMMIT`.
 */
export function commitFailure(error: unknown, earlier?: unknown): unknown {
  const { severity, code = "" } = error as { readonly severity?: string; readonly code?: string };
  const isCertain = severity !== undefined && (error === earlier || CERTAIN.test(code));
  return isCertain ? error : connectionError("COMMIT_UNKNOWN", error);
}
