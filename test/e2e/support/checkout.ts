import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
