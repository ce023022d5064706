/**
 * Loaded into each thread of a process before it begins: durations pass with the wall clock that `shift-clock.ts`
 * moves, and tasks of seconds, minutes and hours are all repeated every `HURRIED_EVERY_MS` milliseconds.
 */
import process, { env } from "node:process";
import { shiftMs } from "../attacks/support/shift-clock.ts";

/** Shorter intervals are no tasks': they stay as they are. */
const SHORTEST_TASK_MS = 2_000;
const NS_PER_MS = 1_000_000n;

const { bigint } = process.hrtime;
process.hrtime.bigint = () => bigint() + BigInt(shiftMs()) * NS_PER_MS;

const { setInterval: repeat } = globalThis;
const taskMs = Number(env.HURRIED_EVERY_MS);
const hurried = (run: () => void, everyMs = 0) => repeat(run, everyMs < SHORTEST_TASK_MS ? everyMs : taskMs);
globalThis.setInterval = hurried as typeof setInterval;
