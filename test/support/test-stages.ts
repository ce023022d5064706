import { spawn } from "node:child_process";
import { once } from "node:events";
import { addCounts, NO_TESTS, readCounts, stageCounts, type TestCounts } from "./test-counts.ts";

/** One command of a test run: a check, or a runner of tests. */
export interface Stage {
  readonly name: string;
  readonly command: string;
  /** Where the stage's runner leaves its counts; a stage without one is a check, not a test. */
  readonly report?: string;
  /** The stage is left out when the named one of an earlier step failed, because it would only repeat that failure. */
  readonly after?: string;
}

/** The result of a whole run. */
interface Outcome {
  readonly total: TestCounts;
  /** The names of the stages that failed, in their order. */
  readonly failed: readonly string[];
}

type Say = (text: string) => void;

/** Where the runners of the stages leave their reports. */
export const RESULTS = "test-results";

async function exitCodeOf(command: string, keep: Say | undefined): Promise<number> {
  const output = keep === undefined ? "inherit" : "pipe";
  const child = spawn(command, { shell: true, stdio: ["inherit", output, output] });
  if (keep !== undefined)
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", keep);
  const [code] = (await once(child, "close")) as [number | null];
  return code ?? 1;
}

/** Runs one stage; `keep` gets the output of its command if it is given, else the output is printed as it comes. */
async function runStage({ name, command, report }: Stage, say: Say, keep?: Say): Promise<TestCounts> {
  say(`\n── ${name}: ${command}\n`);
  const started = performance.now();
  const exitCode = await exitCodeOf(command, keep);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  say(`── ${name}: ${exitCode === 0 ? "passed" : `FAILED (exit code ${exitCode})`} in ${seconds} s\n`);
  return stageCounts(exitCode, report === undefined ? undefined : readCounts(`${RESULTS}/${report}`));
}

/** Runs stages side by side: the output of each comes in one piece, once it is over. */
async function runBeside(stages: readonly Stage[], say: Say): Promise<TestCounts[]> {
  const running = stages.map(async (stage) => {
    let said = "";
    const keep: Say = (text) => {
      said += text;
    };
    const counts = await runStage(stage, keep, keep);
    say(said);
    return counts;
  });
  return Promise.all(running);
}

/**
 * Runs every step, those after a failed one too, so that one run shows everything that is wrong. The stages of one step
 * run side by side, and the next step begins when all of them are over.
 */
export async function runSteps(steps: readonly (readonly Stage[])[], say: Say): Promise<Outcome> {
  const failed: string[] = [];
  let total = NO_TESTS;
  for (const step of steps) {
    const isIdle = ({ after }: Stage): boolean => after !== undefined && failed.includes(after);
    for (const { name, after } of step.filter(isIdle)) say(`\n── ${name}: NOT RUN, because "${after}" failed\n`);
    const stages = step.filter((stage) => !isIdle(stage));
    const [alone, ...others] = stages;
    if (alone === undefined) continue;
    const counts = others.length === 0 ? [await runStage(alone, say)] : await runBeside(stages, say);
    failed.push(...stages.filter((_, index) => (counts[index]?.failed ?? 0) > 0).map(({ name }) => name));
    total = counts.reduce(addCounts, total);
  }
  return { total, failed };
}
