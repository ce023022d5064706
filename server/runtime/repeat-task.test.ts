import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { HttpLog } from "../http/http-log.ts";
import { repeatTask } from "./repeat-task.ts";

function aLog(): HttpLog & { readonly warnings: object[] } {
  const warnings: object[] = [];
  const ignore = () => undefined;
  return { warnings, debug: ignore, info: ignore, error: ignore, warn: (fields) => warnings.push(fields) };
}

test("a task is repeated, one run at a time, until it is stopped", async () => {
  let atOnce = 0;
  let most = 0;
  let runs = 0;
  const run = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await delay(15);
    atOnce -= 1;
    runs += 1;
  };
  const task = repeatTask({ name: "test", everyMs: 2, run, log: aLog() });
  await expect.poll(() => runs).toBeGreaterThanOrEqual(3);
  await task.stop();
  expect(atOnce).toBe(0);
  const after = runs;
  await delay(30);
  expect(runs).toBe(after);
  expect(most).toBe(1);
});

test("a run that fails is told, and the next one tries again", async () => {
  const log = aLog();
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 1) throw new Error("no database");
  };
  const task = repeatTask({ name: "test", everyMs: 2, run, log });
  await expect.poll(() => runs).toBeGreaterThanOrEqual(2);
  await task.stop();
  expect(log.warnings).toEqual([{ task: "test", error: expect.objectContaining({ message: "no database" }) }]);
});
