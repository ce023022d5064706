import { rmSync } from "node:fs";
import { readFlags } from "../build/usage.ts";
import { leftRemarks } from "./support/remarks.ts";
import { readFailures, readRemarks } from "./support/test-counts.ts";
import { RESULTS, runSteps, type Stage } from "./support/test-stages.ts";

const VITEST = "vitest run --reporter=default --reporter=json";

/** One step after another; its stages run side by side. Stages that measure time or fill all processors run alone. */
const STEPS: readonly (readonly Stage[])[] = [
  [
    { name: "format and lint", command: "biome ci ." },
    { name: "types", command: "tsc -b --force" },
    { name: "unused code", command: "knip" },
    { name: "build", command: "vite build" },
  ],
  [{ name: "sizes", command: "node build/report-sizes.ts --check", after: "build" }],
  [{ name: "node tests", command: `${VITEST} --project node --outputFile=${RESULTS}/node.json`, report: "node.json" }],
  // Most attacks wait for something. Beside the node tests they would take ports that those have just left.
  [
    { name: "browser tests", command: "wtr --config web-test-runner.config.ts", report: "browser.json" },
    {
      name: "attacks",
      command: `${VITEST} --project attacks --outputFile=${RESULTS}/attacks.json`,
      report: "attacks.json",
      after: "build",
    },
  ],
  [
    {
      name: "journeys",
      command: `${VITEST} --project e2e --outputFile=${RESULTS}/e2e.json`,
      report: "e2e.json",
      after: "build",
    },
  ],
  [
    {
      name: "measured journeys",
      command: `${VITEST} --project measured --outputFile=${RESULTS}/measured.json`,
      report: "measured.json",
      after: "build",
    },
  ],
];

readFlags({
  script: "test",
  text: `Runs every test, after format, lint, types and a build: a quarter of an hour without the browsers', an
hour with them.
Single files: npx vitest run --project node FILE, or e2e, attacks, measured; a .browser.test.ts by wtr --files FILE.`,
});

/** Reads something out of the reports of all stages. */
function fromReports(read: (file: string) => readonly string[]): readonly string[] {
  return STEPS.flat().flatMap(({ report }: Stage) => (report === undefined ? [] : read(`${RESULTS}/${report}`)));
}

rmSync(RESULTS, { recursive: true, force: true });
const { total, failed } = await runSteps(STEPS, (text) => process.stdout.write(text));
// Repeated here: a log that is cut keeps its end.
for (const failure of fromReports(readFailures)) console.log(`\nFAILED ${failure}`);
if (failed.length > 0) console.log(`\nfailed: ${failed.join(", ")}`);
for (const remark of [...fromReports(readRemarks), ...leftRemarks()]) console.log(`\n${remark}`);
if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
