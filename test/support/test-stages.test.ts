import { expect, it } from "vitest";
import { runSteps, type Stage } from "./test-stages.ts";

/** A stage that prints its name twice, with a pause in which another stage's output could come between. */
function aStage(name: string, exitCode = 0, more: Partial<Stage> = {}): Stage {
  return { name, command: `echo ${name}-1; sleep 0.2; echo ${name}-2 >&2; exit ${exitCode}`, ...more };
}

async function run(steps: readonly (readonly Stage[])[]) {
  let said = "";
  const outcome = await runSteps(steps, (text) => {
    said += text;
  });
  return { ...outcome, said: said.replaceAll(/in [\d.]+ s/g, "in a while") };
}

it("what stages side by side say comes in one piece each", async () => {
  const { said, failed, total } = await run([[aStage("left"), aStage("right")]]);
  expect(said).toMatch(/^left-1\nleft-2\n── left: passed in a while$/m);
  expect(said).toMatch(/^right-1\nright-2\n── right: passed in a while$/m);
  expect([failed, total.failed]).toEqual([[], 0]);
});

it("a failed stage counts and is named, whatever runs beside it, and what follows runs too", async () => {
  const { said, failed, total } = await run([[aStage("left", 3), aStage("right")], [aStage("last", 1)]]);
  expect(failed).toEqual(["left", "last"]);
  expect(total.failed).toBe(2);
  expect(said).toContain("── left: FAILED (exit code 3) in a while");
  expect(said).toContain("── right: passed");
  expect(said).toContain("── last: FAILED (exit code 1)");
});

it("a stage that ends by a signal has failed", async () => {
  const { failed } = await run([[{ name: "killed", command: "kill -9 $$" }]]);
  expect(failed).toEqual(["killed"]);
});

it("a stage that would only repeat an earlier failure is not run, and that is said", async () => {
  const { said, failed } = await run([[aStage("build", 1), aStage("other")], [aStage("sizes", 0, { after: "build" })]]);
  expect(failed).toEqual(["build"]);
  expect(said).toContain('── sizes: NOT RUN, because "build" failed');
  expect(said).not.toContain("sizes-1");
});
