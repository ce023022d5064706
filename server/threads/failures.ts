import { ApiError, type ErrorCode, type ErrorOptions } from "../../src/contract/shared/errors.ts";

/** An error as plain data: what its answer and the log's line need of it. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: unknown;
  /** The fields of an `ApiError`. */
  readonly answer: ErrorOptions | undefined;
  readonly cause: Failure | undefined;
}

const MOST_CAUSES = 5;

/** Describes an error for another thread, down its causes: a copy would lose its class and its fields. */
export function failureOf(error: unknown, depth = 0): Failure {
  const { name, message, stack, cause } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return {
    ...{ name, message, stack },
    code: typeof code === "string" ? code : undefined,
    answer: error instanceof ApiError ? answerFields(error) : undefined,
    cause: cause === undefined || depth >= MOST_CAUSES ? undefined : failureOf(cause, depth + 1),
  };
}

function answerFields({ detail, faults, exceededLimit, retryAfter, replayed, scope }: ApiError): ErrorOptions {
  return {
    faults,
    replayed,
    ...(detail === undefined ? {} : { detail }),
    ...(exceededLimit === undefined ? {} : { exceededLimit }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** Makes the error that another thread described. */
export function errorOf({ name, message, stack, code, answer, cause }: Failure): Error {
  const because = cause === undefined ? {} : { cause: errorOf(cause) };
  const error =
    answer === undefined
      ? Object.assign(new Error(message, because), { name, ...(code === undefined ? {} : { code }) })
      : new ApiError(code as ErrorCode, { ...answer, ...because });
  if (stack !== undefined) error.stack = stack;
  return error;
}
