import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ENDING = ".d.ts";
const SOURCE_IMPORT = /((?:\bfrom|\bimport)\s*\(?\s*"\.[^"]*)\.ts"/g;
const SCRIPT_IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]*)\.js"/g;

function declarationsIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(ENDING)).map((file) => join(folder, file));
}

/** Collects a declaration and all that it imports. */
function reach(path: string, reached: Set<string>): void {
  if (reached.has(path) || !existsSync(path)) return;
  reached.add(path);
  for (const [, target = ""] of readFileSync(path, "utf8").matchAll(SCRIPT_IMPORT)) {
    reach(join(dirname(path), target + ENDING), reached);
  }
}

/**
 * Makes compiled declarations fit to publish: they name the scripts beside them, where the compiler leaves the sources'
 * names, and those that none of the entries leads to are removed.
 */
export function fixDeclarations(folder: string, entries: readonly string[]): void {
  const files = declarationsIn(folder);
  for (const path of files) writeFileSync(path, readFileSync(path, "utf8").replace(SOURCE_IMPORT, '$1.js"'));
  const reached = new Set<string>();
  for (const entry of entries) reach(join(entry), reached);
  for (const path of files.filter((file) => !reached.has(file))) rmSync(path);
}
