import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LaunchError } from "./launch-error.ts";

/** A folder that is ours until we give it back or die. */
export interface FolderLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Takes a data folder for this process; undefined when another one that lives has it. Node has no file locks of its
 * own, but SQLite takes one that the operating system drops with the process, also after kill -9; a file that names a
 * process id could be believed for ever, because ids are used again.
 */
export function lockFolder(folder: string): FolderLock | undefined {
  const path = join(folder, "lock");
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path);
    file.exec("begin exclusive");
  } catch (cause) {
    file?.close();
    if (cause instanceof Error && Reflect.get(cause, "errcode") === SQLITE_BUSY) return undefined;
    throw new LaunchError(`${path} cannot be written: give this user the folder, or set CUPO_DATA_DIR to another.`, {
      cause,
    });
  }
  const held = file;
  return { release: () => held.close() };
}
