/** Codes of a connection that could not be used, beside those of the operating system. */
export type ConnectionCode =
  | "COMMIT_UNKNOWN"
  | "CONNECTION_CLOSED"
  | "CONNECTION_DESTROYED"
  | "CONNECTION_ENDED"
  | "CONNECT_TIMEOUT";

const TEXTS: Readonly<Record<ConnectionCode, string>> = Object.freeze({
  COMMIT_UNKNOWN: "the commit may have taken place or not",
  CONNECTION_CLOSED: "the connection was lost",
  CONNECTION_DESTROYED: "the pool was ended before the statement was done",
  CONNECTION_ENDED: "the pool was ended",
  CONNECT_TIMEOUT: "the database did not answer in time",
});

/** Messages of the client library for a lost connection, which have no code of their own. */
const CODES: Readonly<Record<string, ConnectionCode>> = Object.freeze({
  "timeout expired": "CONNECT_TIMEOUT",
  "Connection terminated": "CONNECTION_CLOSED",
  "Connection terminated unexpectedly": "CONNECTION_CLOSED",
});

/** Creates the error of a connection that cannot be used; its code names the cause. */
export function connectionError(code: ConnectionCode, cause?: unknown): Error {
  return Object.assign(new Error(`${code}: ${TEXTS[code]}`, { cause }), { code });
}

/** Returns the error, with a code where the client library leaves it out. */
export function withCode(error: Error): Error {
  const code = CODES[error.message];
  return code === undefined || "code" in error ? error : connectionError(code, error);
}

/** The start of the words with which PgBouncer refuses a setting of a session; PostgreSQL has none that begin so. */
const REFUSED_SETTING = "unsupported startup parameter";

/** Thrown for a connection through a pooler, which lends the sessions of PostgreSQL and keeps no settings of ours. */
export class PoolerError extends Error {
  override readonly name = "PoolerError";
  readonly code = "SESSION_SHARED";

  constructor(cause?: unknown) {
    super(
      "The database is reached through a connection pooler, such as PgBouncer, that does not keep the settings of a " +
        "session: let DATABASE_URL (and DATABASE_READ_URL) name PostgreSQL itself. Cupo has a pool of its own.",
      { cause },
    );
  }
}

/** True if a pooler refused the settings of a session. */
export function isOfPooler(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(REFUSED_SETTING);
}
