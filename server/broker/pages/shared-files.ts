import type { Stats } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { sep } from "node:path";
import { entityTag } from "../../http/answer-call.ts";

/** A file's content, in one buffer that all requests share. */
export interface SharedFile {
  readonly bytes: Uint8Array;
  /** Its entity tag. */
  readonly tag: string;
  readonly writtenAt: number;
}

/** Reads files below a folder, always as they are at the moment. */
export interface SharedFiles {
  /** Reads a plain file inside the folder; undefined for anything else. */
  read(folder: string, file: string): Promise<SharedFile | undefined>;
}

/** Several times the size of a build. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** A cached file with its fingerprint: another size, time or inode means another content. */
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

/** Makes a reader of files that caches each until it changes; beyond `keptBytes` it evicts the least recently used. */
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
      // An error reaches the callers that waited for it, and is not cached.
      entry.file.catch(() => kept.get(file) === entry && forget(file));
      return entry.file;
    },
  };
}
