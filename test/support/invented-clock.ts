import { randomBytes } from "node:crypto";
import type { ClockWatch } from "../../server/ledger/clock-watch.ts";
import type { MachineClock } from "../../server/ledger/model/machine-clock.ts";

/** The clocks of machine and database in a test with invented time: both follow its clock and never drift. */
export function machineOf(clock: () => Date): MachineClock {
  return { id: "an invented machine", upMs: () => clock().getTime(), databaseTime: () => clock() };
}

/** A clock watch that finds every clock right. */
export const sureClock: Pick<ClockWatch, "requireSure"> = Object.freeze({ requireSure: async () => undefined });

/** The changes that a test makes to the time of a service. */
export interface ClockMoves {
  /** Lets time pass for the service and its database. */
  advance(seconds: number): void;
  /** Moves the wall clock of both, while no time passes. */
  jump(seconds: number): void;
  /** Moves the service's clock away from the database's. */
  stray(seconds: number): void;
}

/** The real time, until it is moved. */
export function movableTime() {
  let aheadMs = 0;
  let passedMs = 0;
  let jumpedMs = 0;
  let strayedMs = 0;
  const clock = (): Date => new Date(Date.now() + aheadMs);
  const machine: MachineClock = {
    id: randomBytes(8).toString("hex"),
    upMs: () => performance.now() + aheadMs - jumpedMs,
    databaseTime: (told) => new Date(told.getTime() + aheadMs - strayedMs),
  };
  const moves: ClockMoves = {
    advance: (seconds) => {
      aheadMs += seconds * 1000;
      // Durations know no way back.
      passedMs += Math.max(0, seconds) * 1000;
    },
    jump: (seconds) => {
      aheadMs += seconds * 1000;
      jumpedMs += seconds * 1000;
    },
    stray: (seconds) => {
      aheadMs += seconds * 1000;
      strayedMs += seconds * 1000;
    },
  };
  return { clock, machine, now: () => performance.now() + passedMs, ...moves };
}
