import { ApiError, type ErrorCode, errorCodes, type Problem } from "../../src/contract/shared/errors.ts";
import { type Exchange, respond } from "./exchange.ts";

/** Seconds for `Retry-After` where the error names none. */
const defaultRetryAfter: Partial<Record<ErrorCode, number>> = {
  request_in_progress: 1,
  too_many_requests: 1,
  unavailable: 5,
};

/** Returns the problem type of a code: an identifier that never changes, not an address to fetch (RFC 9457 §3.1.1). */
export function problemType(code: ErrorCode): string {
  return `urn:cupo:error:${code}`;
}

/** Builds the RFC 9457 document of an error. A 5xx says nothing about what happened inside. */
export function problemOf(error: ApiError, requestId: string): Problem {
  const { status, title } = errorCodes[error.code];
  const outside = status < 500;
  return {
    type: problemType(error.code),
    title,
    status,
    ...(outside && error.detail !== undefined ? { detail: error.detail } : {}),
    code: error.code,
    request_id: requestId,
    ...(outside && error.faults.length > 0 ? { errors: error.faults } : {}),
    ...(outside && error.exceededLimit !== undefined ? { exceeded_limit: error.exceededLimit } : {}),
  };
}

/** `Retry-After` of an error that is worth another try. */
function retryHeaders(error: ApiError): Record<string, string> {
  const seconds = error.retryAfter ?? defaultRetryAfter[error.code];
  return seconds === undefined ? {} : { "Retry-After": String(Math.max(1, Math.ceil(seconds))) };
}

/**
 * Returns the header `WWW-Authenticate` (RFC 6750 §3) for a 401, with `invalid_token` where a bearer token was sent,
 * and for a missing scope, with `insufficient_scope` and the name of that scope; no header for other errors.
 */
export function challengeHeaders(error: ApiError, request: Request, realm: string): Record<string, string> {
  if (error.scope !== undefined) {
    return { "WWW-Authenticate": `Bearer realm="${realm}", error="insufficient_scope", scope="${error.scope}"` };
  }
  if (error.code !== "unauthorized") return {};
  const sentToken = /^bearer /i.test(request.headers.get("authorization") ?? "");
  return { "WWW-Authenticate": `Bearer realm="${realm}"${sentToken ? ', error="invalid_token"' : ""}` };
}

/**
 * Builds the answer to an error, with `Retry-After` where another try is worth it: a problem document unless the
 * exchange's route has a shape of its own.
 */
export function problemResponse(
  exchange: Exchange,
  error: ApiError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const shaped = exchange.errorShape?.(error);
  const retry = { ...retryHeaders(error), ...(error.replayed ? { "Idempotent-Replayed": "true" } : {}) };
  if (shaped !== undefined) {
    const own = { "Content-Type": "application/json", ...retry, ...shaped.headers };
    return respond(exchange, shaped.status, JSON.stringify(shaped.body), own);
  }
  const problem = JSON.stringify(problemOf(error, exchange.requestId));
  return respond(exchange, error.status, problem, {
    "Content-Type": "application/problem+json",
    ...retry,
    ...headers,
  });
}

/** Makes the error of a path that does not exist. Its sentence leads to `/openapi.json` where the app has one. */
export function notFoundError(isDescribed: boolean): ApiError {
  return new ApiError("not_found", {
    detail: isDescribed ? "No such path: compare it with /openapi.json." : "No such path.",
  });
}
