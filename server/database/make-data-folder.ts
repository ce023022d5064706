import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { userInfo } from "node:os";
import { resolve } from "node:path";

/**
 * Makes the data folder where it is missing and answers its whole path. Root's is passable, because PostgreSQL runs as
 * another user in a folder of its own inside; every secret in it is a file that only its owner reads.
 */
export function makeDataFolder(folder: string): string {
  const path = resolve(folder);
  if (existsSync(path)) return path;
  mkdirSync(path, { recursive: true });
  chmodSync(path, userInfo().uid === 0 ? 0o711 : 0o700);
  return path;
}
