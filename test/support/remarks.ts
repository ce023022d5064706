import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "test-results/remarks";

/** Leaves word of tests that could not be run at all here, for the end of `npm test`, and says it now. */
export function leaveRemark(name: string, sentence: string): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.txt`), sentence);
  process.stderr.write(`${sentence}\n`);
}

/** What tests have left word of during this run. */
export function leftRemarks(): readonly string[] {
  try {
    return readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
