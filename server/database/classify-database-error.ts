/** The meaning of a failed statement for its caller; nothing else in the server reads SQLSTATE. */
export type DatabaseFailure =
  | { readonly kind: "unique"; readonly constraint: string }
  | { readonly kind: "retry" }
  | { readonly kind: "away" }
  | { readonly kind: "other" };

/** Lost to another transaction that ran at the same time; nothing was written, and the same statements may succeed. */
const RETRY_STATES: ReadonlySet<string> = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "55P03", // lock_not_available
]);

/** The database cannot serve now. */
const AWAY_STATES: ReadonlySet<string> = new Set([
  "25006", // read_only_sql_transaction: a standby, or a primary that was demoted under us
  "40003", // statement_completion_unknown
  "57014", // query_canceled: the statement timeout of an overloaded database
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "57P05", // idle_session_timeout
]);

/** connection_exception and insufficient_resources (too many connections, disk full, out of memory). */
const AWAY_CLASSES: ReadonlySet<string> = new Set(["08", "53"]);

/** The code of a commit of which no answer, or none that is certain, came. */
const COMMIT_UNKNOWN = "COMMIT_UNKNOWN";

/** Codes of the driver and of the operating system for a connection that failed or broke. */
const AWAY_CODES: ReadonlySet<string> = new Set([
  COMMIT_UNKNOWN,
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "SESSION_SHARED",
  "ETIMEDOUT",
]);

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The SQLSTATE of an error that PostgreSQL sent; undefined for an error of any other origin. */
export function sqlState(error: unknown): string | undefined {
  // `EPIPE` has five capitals too; only what PostgreSQL itself sent carries a severity.
  if (textOf(error, "severity") === undefined) return undefined;
  const code = textOf(error, "code");
  return code !== undefined && SQLSTATE.test(code) ? code : undefined;
}

/**
 * Sorts a failed statement: `unique` (with the constraint), `retry` (lost a race, nothing was written), `away` (no
 * database to talk to; a commit that was under way may or may not have happened) or `other` (a bug, or not ours).
 */
export function classifyDatabaseError(error: unknown): DatabaseFailure {
  const state = sqlState(error);
  if (state === undefined) return { kind: AWAY_CODES.has(textOf(error, "code") ?? "") ? "away" : "other" };
  if (state === "23505") return { kind: "unique", constraint: textOf(error, "constraint") ?? "" };
  if (RETRY_STATES.has(state)) return { kind: "retry" };
  if (AWAY_STATES.has(state) || AWAY_CLASSES.has(state.slice(0, 2))) return { kind: "away" };
  return { kind: "other" };
}

/** True if no database can be reached now: the answer is 503 with `Retry-After`. */
export function isDatabaseAway(error: unknown): boolean {
  return classifyDatabaseError(error).kind === "away";
}

/** True for a transaction that may have taken place or not, so must not be run again without looking. */
export function isCommitUnknown(error: unknown): boolean {
  return sqlState(error) === undefined && textOf(error, "code") === COMMIT_UNKNOWN;
}

function textOf(error: unknown, name: string): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : undefined;
}
