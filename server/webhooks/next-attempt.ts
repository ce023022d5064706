import { between } from "../../src/retry.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const SHORTEST_PAUSE_MS = 5 * SECOND_MS;
const LONGEST_PAUSE_MS = 6 * HOUR_MS;
/** Milliseconds after its first attempt during which a failed delivery is tried again: 72 hours. */
export const TRIED_FOR_MS = 72 * HOUR_MS;

/**
 * Returns the time of the next attempt after one at `now` failed, undefined when the delivery is given up. Each pause
 * is as long as all before it together, so that they double, from 5 seconds to 6 hours, and a quarter more or less, so
 * that what failed together does not come back together; the last attempt is made when the 72 hours are over.
 */
export function nextAttempt(firstAttemptAt: Date, now: Date, random: (length: number) => Uint8Array): Date | undefined {
  const triedMs = now.getTime() - firstAttemptAt.getTime();
  if (triedMs >= TRIED_FOR_MS) return undefined;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, triedMs)) * between(0.75, 1.25, random);
  return new Date(Math.min(now.getTime() + pauseMs, firstAttemptAt.getTime() + TRIED_FOR_MS));
}
