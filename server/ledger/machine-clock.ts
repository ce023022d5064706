/** Past so many milliseconds two clocks that should agree do not: one of them is wrong. */
export const CLOCK_LIMIT_MS = 2 * 60 * 1000;

/** The readings that tell whether a machine's wall clock was moved. */
export interface MachineClock {
  /** The machine, from one start of it to the next. */
  readonly id: string;
  /** Milliseconds since the machine was started, its sleep included, whatever is done to its clock. */
  readonly upMs: () => number;
  /** The database's clock in a world whose time is not the database's. Default: as told. */
  readonly databaseTime?: (told: Date) => Date;
}

/** A wall clock beside the uptime that it was read at. */
export interface ClockReading {
  readonly at: Date;
  readonly upMs: number;
}

/** By how many milliseconds the wall clock went on more than the machine did between two readings. */
export function jumpBetween(earlier: ClockReading, later: ClockReading): number {
  return later.at.getTime() - earlier.at.getTime() - (later.upMs - earlier.upMs);
}
