import { AnswerError, NoAnswerError } from "./client.ts";
import { ApiError } from "./contract/shared/errors.ts";
import { redactedCause } from "./redacted-cause.ts";
import { TokenSourceError } from "./token-source.ts";

/**
 * Returns the error to throw for an answer whose body could not be read: an {@link AnswerError} for one that is no
 * JSON, a {@link NoAnswerError} for one that broke off or took too long, else the given error. The client meets that
 * only after headers that were fine.
 */
export function brokenAnswer(error: unknown): unknown {
  if (error instanceof SyntaxError) return new AnswerError("the answer is not JSON");
  const { name } = error as Error;
  const broke = error instanceof TypeError || name === "TimeoutError" || name === "AbortError";
  return broke ? new NoAnswerError("the answer broke off", { cause: redactedCause(error) }) : error;
}

/** True if a retry may help: the outcome of the call is unknown, or it was refused for a transient reason. */
export function isTransient(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true;
  if (error instanceof TokenSourceError) return !error.refused;
  if (!(error instanceof ApiError)) return false;
  return error.code === "unavailable" || error.code === "request_in_progress";
}
