/** A failure of the network is some causes deep: ky's error, `fetch`'s, the socket's. */
const MOST_CAUSES = 5;

function codeOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth >= MOST_CAUSES) return undefined;
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" ? code : codeOf(error.cause, depth + 1);
}

/**
 * Returns an error for use as the cause of another, with only the name of the given error and the code of it or of its
 * causes, such as `TypeError` and `ECONNREFUSED`. The message of a failed call holds the URL, whose query is somebody's
 * phone or nit, and causes go into logs.
 */
export function redactedCause(error: unknown): Error {
  const name = error instanceof Error ? error.name : typeof error;
  const code = codeOf(error);
  return Object.assign(new Error(code ?? name), { name, ...(code === undefined ? {} : { code }) });
}
