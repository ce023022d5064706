import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** The endings of files that compression makes smaller; pictures and fonts are compressed already. */
const COMPRESSIBLE: readonly string[] = [".css", ".html", ".js", ".json", ".map", ".svg", ".wasm", ".webmanifest"];

/** Below this, all of it fits into the packet that the answer's headers travel in. */
const WORTHWHILE_BYTES = 1024;

/**
 * Writes `FILE.br` and `FILE.gz` beside each file in and below the folders that compression makes smaller (by its
 * ending, from 1 KiB on), for the broker to send instead.
 */
export function compressFiles(folders: readonly string[]): void {
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) compressFile(join(entry.parentPath, entry.name));
    }
  }
}

function compressFile(file: string): void {
  if (!COMPRESSIBLE.includes(extname(file))) return;
  const content = readFileSync(file);
  // An earlier build may have left these beside a file that has become small.
  for (const ending of [".br", ".gz"]) rmSync(`${file}${ending}`, { force: true });
  if (content.length < WORTHWHILE_BYTES) return;
  writeFileSync(`${file}.br`, brotliCompressSync(content));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}
