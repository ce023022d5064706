import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "test-results/remarks";

/** Records a remark on tests that could not be run at all here, for the end of `npm test`, and prints it now. */
export function leaveRemark(name: string, sentence: string): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.txt`), sentence);
  process.stderr.write(`${sentence}\n`);
}

/** Returns the remarks that tests have recorded during this run. */
export function leftRemarks(): readonly string[] {
  try {
    return readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
