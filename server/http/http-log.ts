/** The part of a pino logger that this room uses. */
export interface HttpLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const MOST_CAUSES = 5;

/**
 * What the log may keep of an error: an error object as a whole may carry query parameters or a row's content
 * (drivers attach them), so only its name, message, code and stack are taken, down its causes.
 */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { readonly code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === "string" ? { code } : {}),
    stack: error.stack,
    ...(error.cause === undefined || depth >= MOST_CAUSES ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}
