import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";

/** Keeps a secret text in a file that only its owner reads: the one that is there, else the one that `make` gives. */
export function keepSecret(path: string, make: () => string): string {
  const kept = readSecret(path);
  if (kept !== undefined) return kept;
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

/** Reads what {@link keepSecret} has kept; undefined where there is no such file. */
export function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") return undefined;
    throw error;
  }
}
