import { AnswerError, NoAnswerError } from "../../../src/client.ts";
import { ApiError, type ErrorCode, errorCodes } from "../../../src/contract/shared/errors.ts";
import { TokenSourceError } from "../../../src/token-source.ts";

/** Our own sentences for refusals of the upstream, whose sentences never pass. */
const SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = Object.freeze({
  amount_too_large_for_qr: "A payment code holds at most 9 999 999 999.99.",
  qr_not_authentic: "This code was not issued here or was altered: ask for a new one.",
  qr_not_found: "No payment code has this reference: compare it with the one below the code.",
  qr_already_paid: "This code has been paid already.",
  qr_expired: "This code has expired: ask for a new one.",
  qr_cancelled: "This code was cancelled by the one who made it.",
  qr_other_payer: "This code is for another payer.",
  qr_mismatch: "The payment differs from what the code asks for.",
  transaction_not_reversible: "This payment cannot be given back any more.",
  refund_too_large: "This is more than what is left to give back.",
  idempotency_key_reused: "The key was used for another request: send a new one.",
  invalid_cursor: "The cursor is not valid: start from the first page.",
  invalid_sync_token: "The token is not one of this list: get the whole list, and use the token that comes with it.",
  sync_token_too_old: "The token is too old: get the whole list, and use the token that comes with it.",
});

/** Codes of the upstream that pass to our callers; any other is a failure between the two. */
const MEANINGFUL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(Object.keys(SENTENCES) as ErrorCode[]),
  "payer_not_yours",
  "name_mismatch",
  "not_allowed",
  "user_not_found",
  "transaction_not_found",
  "limit_exceeded",
  "insufficient_balance",
  "balance_limit",
]);

/**
 * True if a failed call concerns the upstream as a whole (no answer, no access token, or `unavailable`) rather than
 * this request: such failures open the breaker.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof TokenSourceError) return !error.scopeRefused;
  if (error instanceof NoAnswerError) return true;
  return error instanceof ApiError && error.code === "unavailable";
}

/**
 * Refusals that say nothing of what an earlier try of the same write did: they are no outcome of the write, and a copy
 * of it would be refused like that too. `not_allowed` is of the caller, whose rights may have ended meanwhile.
 */
const OPEN_REFUSALS: ReadonlySet<ErrorCode> = new Set([
  "unauthorized",
  "not_allowed",
  "too_many_requests",
  "request_in_progress",
  "internal_error",
  "unavailable",
]);

/**
 * True if the service refused a write for a reason that lies in the write. False for a lost one, and for refusals of
 * the caller or the moment, which say nothing of what an earlier try did. Takes the errors that {@link upstreamError}
 * makes.
 */
export function isCertainRefusal(error: unknown): error is ApiError {
  const code = refusedCode(error);
  return code !== undefined && !OPEN_REFUSALS.has(code);
}

/**
 * Returns the code with which the service itself refused a call, from the error that {@link upstreamError} made of it;
 * undefined for any other error.
 */
export function refusedCode(error: unknown): ErrorCode | undefined {
  return error instanceof ApiError && error.cause instanceof ApiError ? error.cause.code : undefined;
}

/** Statuses of refusals that the posting decided, which the service keeps under the key (interface: Idempotency). */
const KEPT_STATUSES: ReadonlySet<number> = new Set([404, 409]);

/** True if the service keeps a refusal under the idempotency key, so that no copy of the write is ever carried out. */
export function isKeptRefusal(error: ApiError): boolean {
  const code = refusedCode(error);
  return code !== undefined && code !== "not_found" && KEPT_STATUSES.has(errorCodes[code].status);
}

/**
 * Maps a failed call of the service to the error for our caller, with a sentence of our own: the service's code where
 * that may pass, else `unavailable` or `upstream_failed`. Returns errors of other origin unchanged.
 */
export function upstreamError(error: unknown): unknown {
  if (error instanceof ApiError && MEANINGFUL.has(error.code)) {
    const detail = SENTENCES[error.code];
    return new ApiError(error.code, { ...(detail === undefined ? {} : { detail }), cause: error });
  }
  if (error instanceof ApiError && (error.code === "unavailable" || error.code === "too_many_requests")) {
    return new ApiError("unavailable", { retryAfter: error.retryAfter ?? 2, cause: error });
  }
  if (error instanceof NoAnswerError) return new ApiError("unavailable", { retryAfter: 2, cause: error });
  if (error instanceof ApiError || error instanceof AnswerError || error instanceof TokenSourceError) {
    return new ApiError("upstream_failed", { cause: error });
  }
  return error;
}
