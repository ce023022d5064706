import { CommandError } from "../commands/terminal-command.ts";
import { ConfigError } from "../config/config.ts";
import { isDatabaseAway } from "../database/classify-database-error.ts";
import { PoolerError } from "../database/connect.ts";
import { LaunchError } from "../database/launch-embedded.ts";
import { MigrationError } from "../database/migrate.ts";
import { SealError } from "../database/sealer.ts";
import { ListenError } from "../http/listen.ts";
import { ClockError } from "../ledger/clock-watch.ts";

/** Errors whose message is all that the person at the terminal needs; known by name, as one from a thread is. */
const PLAIN_ERRORS = [
  ClockError,
  CommandError,
  ConfigError,
  LaunchError,
  ListenError,
  MigrationError,
  PoolerError,
  SealError,
];

/** Codes of the system for a file or folder that cannot be made, read or written where it is. */
const UNUSABLE: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR"]);

/** Returns the path of a failed access to a file or folder; undefined for any other error. */
function unusablePath(error: NodeJS.ErrnoException): string | undefined {
  return UNUSABLE.has(error.code) ? error.path : undefined;
}

/**
 * Returns the text for the terminal of an error after which Cupo cannot go on: the remedy where it is known, else the
 * stack.
 */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (PLAIN_ERRORS.some(({ name }) => error.name === name)) return error.message;
  if (isDatabaseAway(error)) {
    return `The database cannot be reached (${error.message}): start it, or correct the address in DATABASE_URL.`;
  }
  const path = unusablePath(error);
  if (path !== undefined) {
    const { code } = error as NodeJS.ErrnoException;
    return `${path} cannot be used (${code}): give it to this user, or set CUPO_DATA_DIR to another folder.`;
  }
  return error.stack ?? String(error);
}
