import { readFileSync } from "node:fs";

/**
 * Loaded into a process before it begins (`NODE_OPTIONS=--import …`): its wall clock is off by as many milliseconds as
 * the file says, from one moment to the next. The database of the process keeps the real time.
 */
const path = process.env.ATTACKED_CLOCK ?? "";
const READ_EVERY_MS = 10;
const RealDate = Date;

let shift = 0;
let readAt = Number.NEGATIVE_INFINITY;

/** Milliseconds by which the wall clock is ahead. */
export function shiftMs(): number {
  const now = performance.now();
  if (now - readAt < READ_EVERY_MS) return shift;
  readAt = now;
  shift = Number(readFileSync(path, "utf8"));
  return shift;
}

class ShiftedDate extends RealDate {
  constructor(...parts: readonly []) {
    if (parts.length === 0) super(RealDate.now() + shiftMs());
    else super(...parts);
  }

  static override now(): number {
    return RealDate.now() + shiftMs();
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
