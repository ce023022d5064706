import { randomBytes } from "node:crypto";
import type { ClockWatch } from "../../server/ledger/clock-watch.ts";
import type { MachineClock } from "../../server/ledger/machine-clock.ts";

/** The machine and the database of a world whose time is invented: both go with its clock, and nothing ever strays. */
export function machineOf(clock: () => Date): MachineClock {
  return { id: "an invented machine", upMs: () => clock().getTime(), databaseTime: () => clock() };
}

/** A watch of a clock that is right because the test says so. */
export const sureClock: Pick<ClockWatch, "requireSure"> = Object.freeze({ requireSure: async () => undefined });

/** The moves that a test makes with the time of a service. */
export interface ClockMoves {
  /** Lets time pass for the service and its database. */
  advance(seconds: number): void;
  /** Moves the wall clock that both are on, while no time passes. */
  jump(seconds: number): void;
  /** Moves the service's clock away from the database's. */
  stray(seconds: number): void;
}

/** The real time, until it is moved. */
export function movableTime() {
  let aheadMs = 0;
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
  return { clock, machine, now: () => performance.now() + aheadMs, ...moves };
}
