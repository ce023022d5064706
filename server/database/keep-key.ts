import { existsSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "./embedded/launch-error.ts";
import { keepSecret } from "./keep-secret.ts";
import { makeDataFolder } from "./make-data-folder.ts";

const KEY_BYTES = 32;

/**
 * The sealing key of an embedded database: the file `key` (0600) in the data folder. Call it before the database is
 * launched: beside a database a missing key is a fault, because a new one would open nothing that was sealed.
 */
export function keepKey(dataDir: string, randomBytes: (length: number) => Uint8Array): Uint8Array {
  const folder = makeDataFolder(dataDir);
  const path = join(folder, "key");
  if (!existsSync(path) && existsSync(join(folder, "postgres"))) {
    throw new LaunchError(
      `${path} is missing, with which the database beside it was sealed: put it back, or set CUPO_KEY to that key.`,
    );
  }
  const text = keepSecret(path, () => Buffer.from(randomBytes(KEY_BYTES)).toString("base64url"));
  const key = Buffer.from(text, "base64url");
  if (key.length === KEY_BYTES && key.toString("base64url") === text) return key;
  throw new LaunchError(`${path} does not hold a key of ${KEY_BYTES} bytes: put back the one that was there.`);
}
