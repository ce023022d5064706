import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { firstPageSize } from "./first-page.ts";
import { type ScriptSize, sizeFaults, sizeTable, withSizeTable } from "./size-table.ts";
import { readFlags } from "./usage.ts";

const README = "README.md";

/** Asks size-limit for the elements; it ends with 1 when a script is above its budget and still prints all sizes. */
async function measure(): Promise<readonly ScriptSize[]> {
  const run = promisify(execFile)(process.execPath, ["node_modules/size-limit/bin.js", "--json"]);
  const { stdout } = await run.catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? "" }));
  if (!stdout.startsWith("[")) throw new Error(`size-limit measured nothing: is dist/widgets built?\n${stdout}`);
  return [...(JSON.parse(stdout) as ScriptSize[]), firstPageSize("dist/app")];
}

/**
 * Prints the sizes of the built scripts, with their budgets, and writes the table into the README; with `--check` it
 * writes nothing and ends with 1 when a budget is broken or the README's table is stale.
 */
async function main(): Promise<void> {
  const flags = readFlags({
    script: "sizes",
    flags: { check: "write nothing, and end with 1 where a budget is broken or the table is stale" },
    text: "Prints the size of each built script beside its budget, and writes them into the README. It needs a build.",
  });
  const sizes = await measure();
  process.stdout.write(`${sizeTable(sizes)}\n`);
  if (!flags.has("check")) writeFileSync(README, withSizeTable(readFileSync(README, "utf8"), sizes));
  for (const fault of sizeFaults(readFileSync(README, "utf8"), sizes)) {
    process.stderr.write(`${fault}\n`);
    process.exitCode = 1;
  }
}

await main();
