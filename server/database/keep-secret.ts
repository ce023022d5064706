import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";

/** Keeps a secret text in a file that only its owner reads: the one that is there, else the one that `make` gives. */
export function keepSecret(path: string, make: () => string): string {
  const kept = readIfThere(path);
  if (kept !== undefined) return kept.trim();
  const secret = make();
  writeSecret(path, secret);
  return secret;
}

/** Writes a secret file whole or not at all: half of one, after a power cut, would lock everything that it opens. */
export function writeSecret(path: string, secret: string): void {
  const draft = `${path}.new`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, `${secret}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") return undefined;
    throw error;
  }
}
