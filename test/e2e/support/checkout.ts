import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { bareEnvironment } from "../../support/bare-environment.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PACKAGES = "node_modules";

/** Copies the files of this checkout, as they are now, into a new folder, which uses the same packages. */
export function aCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), "cupo-checkout-"));
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", list, { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);
  for (const path of files) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  // One by one, because tools keep caches beside them.
  mkdirSync(join(folder, PACKAGES));
  for (const name of readdirSync(join(ROOT, PACKAGES)).filter((entry) => !/^\.(?!bin$)/.test(entry)))
    symlinkSync(join(ROOT, PACKAGES, name), join(folder, PACKAGES, name));
  return folder;
}

/** Runs a command of the packages in a checkout; returns its exit code and its output. */
export async function runIn(folder: string, command: string, ...args: readonly string[]) {
  const environment = bareEnvironment();
  const path = [join(folder, PACKAGES, ".bin"), environment.PATH].join(delimiter);
  const child = spawn(command, args, { cwd: folder, env: { ...environment, PATH: path } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      output += data;
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}
