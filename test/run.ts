import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { addCounts, NO_TESTS, readCounts, readRemarks, stageCounts, type TestCounts } from "./support/test-counts.ts";

interface Stage {
  readonly name: string;
  readonly command: string;
  /** Where the stage's runner leaves its counts; a stage without one is a check, not a test. */
  readonly report?: string;
  /** The stage is left out when the named one failed, because it would only repeat that failure. */
  readonly after?: string;
}

const RESULTS = "test-results";
const VITEST = "vitest run --reporter=default --reporter=json";

const STAGES: readonly Stage[] = [
  { name: "format and lint", command: "biome ci ." },
  { name: "types", command: "tsc -b --force" },
  { name: "unused code", command: "knip" },
  { name: "node tests", command: `${VITEST} --project node --outputFile=${RESULTS}/node.json`, report: "node.json" },
  { name: "build", command: "vite build" },
  { name: "sizes", command: "node build/tell-sizes.ts --check", after: "build" },
  { name: "browser tests", command: "wtr --config web-test-runner.config.ts", report: "browser.json" },
  {
    name: "journeys",
    command: `${VITEST} --project e2e --outputFile=${RESULTS}/e2e.json`,
    report: "e2e.json",
    after: "build",
  },
];

async function exitCodeOf(command: string): Promise<number> {
  const child = spawn(command, { shell: true, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

async function runStage(stage: Stage): Promise<TestCounts> {
  console.log(`\n── ${stage.name}: ${stage.command}`);
  const started = performance.now();
  const exitCode = await exitCodeOf(stage.command);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`── ${stage.name}: ${exitCode === 0 ? "passed" : `FAILED (exit code ${exitCode})`} in ${seconds} s`);
  return stageCounts(exitCode, stage.report === undefined ? undefined : readCounts(`${RESULTS}/${stage.report}`));
}

/** What the stage's runner could not run at all. */
function remarksOf({ report }: Stage): readonly string[] {
  return report === undefined ? [] : readRemarks(`${RESULTS}/${report}`);
}

/** Runs every stage, those after a failed one too, so that one run shows everything that is wrong. */
async function runAll(): Promise<TestCounts> {
  rmSync(RESULTS, { recursive: true, force: true });
  const failed = new Set<string>();
  let total = NO_TESTS;
  for (const stage of STAGES) {
    if (stage.after !== undefined && failed.has(stage.after)) {
      console.log(`\n── ${stage.name}: NOT RUN, because "${stage.after}" failed`);
      continue;
    }
    const counts = await runStage(stage);
    if (counts.failed > 0) failed.add(stage.name);
    total = addCounts(total, counts);
  }
  if (failed.size > 0) console.log(`\nfailed: ${[...failed].join(", ")}`);
  return total;
}

const total = await runAll();
for (const remark of STAGES.flatMap(remarksOf)) console.log(`\n${remark}`);
if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
