/** The methods of a pino logger that the server uses. */
export interface HttpLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const MOST_CAUSES = 5;

/**
 * Reduces an error to the fields that the log may keep: an error object as a whole may carry query parameters or a
 * row's content (drivers attach them), so only its name, message, code, stack and the faults of a refusal (places and
 * sentences, no values) are taken, down its causes.
 */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code, faults } = error as { readonly code?: unknown; readonly faults?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === "string" ? { code } : {}),
    ...(Array.isArray(faults) && faults.length > 0 ? { faults } : {}),
    stack: error.stack,
    ...(error.cause === undefined || depth >= MOST_CAUSES ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}
