import { hash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import packageJson from "../package.json" with { type: "json" };

/** The hash by which a page pins a script, and the script's sizes. */
interface ScriptRecord {
  /** For the attribute `integrity` (Subresource Integrity §3.1). */
  readonly integrity: string;
  readonly bytes: number;
  readonly gzip: number;
}

/** The content of `integrity.json`. */
export interface Integrity {
  readonly version: string;
  readonly files: Readonly<Record<string, ScriptRecord>>;
}

/** Computes the hash and the sizes of a script. */
function recordOf(script: Uint8Array): ScriptRecord {
  return {
    integrity: `sha384-${hash("sha384", script, "base64")}`,
    bytes: script.length,
    gzip: gzipSync(script, { level: 9 }).length,
  };
}

/**
 * Writes `integrity.json` beside the scripts, and puts all of it once more into a folder of this version's name, whose
 * files never change. Returns the values by which a page pins them.
 */
export function writeIntegrity(folder: string, bundles: readonly string[], version = packageJson.version): Integrity {
  const names = bundles.map((bundle) => `${bundle}.js`);
  const files = Object.fromEntries(names.map((name) => [name, recordOf(readFileSync(join(folder, name)))]));
  const integrity: Integrity = { version, files };
  writeFileSync(join(folder, "integrity.json"), `${JSON.stringify(integrity, null, 2)}\n`);
  mkdirSync(join(folder, version), { recursive: true });
  for (const name of [...names.flatMap((script) => [script, `${script}.map`]), "integrity.json"]) {
    copyFileSync(join(folder, name), join(folder, version, name));
  }
  return integrity;
}
