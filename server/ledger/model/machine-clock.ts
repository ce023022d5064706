/** Largest difference in milliseconds between two clocks that agree; beyond it one of them is wrong. */
export const CLOCK_LIMIT_MS = 2 * 60 * 1000;

/** A machine's id and uptime, which tell if its wall clock was moved. */
export interface MachineClock {
  /** Identifies the machine from one start of it to the next. */
  readonly id: string;
  /** Milliseconds since the machine was started, its sleep included, however its wall clock is set. */
  readonly upMs: () => number;
  /** Maps the database's time, for a test whose clock is not the database's. Default: unchanged. */
  readonly databaseTime?: (told: Date) => Date;
}

/** A wall clock beside the uptime that it was read at. */
export interface ClockReading {
  readonly at: Date;
  readonly upMs: number;
}

/**
 * Returns how many milliseconds more than the uptime the wall clock advanced between two readings; below zero where it
 * advanced less.
 */
export function jumpBetween(earlier: ClockReading, later: ClockReading): number {
  return later.at.getTime() - earlier.at.getTime() - (later.upMs - earlier.upMs);
}
