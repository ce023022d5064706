import type { Stats } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { sep } from "node:path";
import { entityTag } from "../../http/answer-call.ts";

/** A file's content, one buffer for everybody who asks for it. */
export interface SharedFile {
  readonly bytes: Uint8Array;
  /** Its entity tag. */
  readonly tag: string;
  readonly writtenAt: number;
}

/** The files below a folder, as they are at the moment. */
export interface SharedFiles {
  /** A plain file inside the folder, else nothing. */
  read(folder: string, file: string): Promise<SharedFile | undefined>;
}

/** Several times what a build holds. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** A file as it was read: another size, time or place in the file system is another content. */
interface Kept {
  readonly print: string;
  readonly file: Promise<SharedFile | undefined>;
  readonly size: number;
}

function isAbsence(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? "");
}

async function statusOf(file: string): Promise<Stats | undefined> {
  try {
    const status = await stat(file);
    return status.isFile() ? status : undefined;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

async function contentOf(folder: string, file: string, writtenAt: number): Promise<SharedFile | undefined> {
  try {
    // A link inside the folder must not lead out of it.
    const [realFile, realFolder] = await Promise.all([realpath(file), realpath(folder)]);
    if (!realFile.startsWith(realFolder + sep)) return undefined;
    const bytes = await readFile(realFile);
    return { bytes, tag: entityTag(bytes), writtenAt };
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Reads each file once and keeps it until it changes; what was used least recently goes when there is too much. */
export function createSharedFiles(keptBytes = KEPT_BYTES): SharedFiles {
  const kept = new Map<string, Kept>();
  let total = 0;

  function forget(path: string): void {
    total -= kept.get(path)?.size ?? 0;
    kept.delete(path);
  }

  function keep(path: string, entry: Kept): Kept {
    forget(path);
    kept.set(path, entry);
    total += entry.size;
    for (const oldest of kept.keys()) {
      if (total <= keptBytes) break;
      forget(oldest);
    }
    return entry;
  }

  return {
    async read(folder, file) {
      const status = await statusOf(file);
      if (status === undefined) {
        forget(file);
        return undefined;
      }
      const { ino, size, mtimeMs } = status;
      const print = `${ino} ${size} ${mtimeMs}`;
      const before = kept.get(file);
      if (before?.print === print) return keep(file, before).file;
      const entry = keep(file, { print, size, file: contentOf(folder, file, mtimeMs) });
      // An error is told to those who waited for it, and not kept.
      entry.file.catch(() => kept.get(file) === entry && forget(file));
      return entry.file;
    },
  };
}
