/** The tries of one call. */
interface Tries {
  /** How often it is sent at most. */
  readonly most: number;
  /** The shortest pause before another try; undefined where that would be of no use, or could do harm. */
  readonly leastPauseMs: (error: unknown) => number | undefined;
  readonly random: (length: number) => Uint8Array;
  readonly wait: (delayMs: number) => Promise<void>;
}

const FIRST_PAUSE_MS = 100;

/** Sends until an answer comes or an error is final; pauses double, with jitter of a half. */
export async function retry<T>(send: () => Promise<T>, { most, leastPauseMs, random, wait }: Tries): Promise<T> {
  for (let number = 0; ; number += 1) {
    try {
      return await send();
    } catch (error) {
      const leastMs = number + 1 < most ? leastPauseMs(error) : undefined;
      if (leastMs === undefined) throw error;
      await wait(leastMs + doubled(FIRST_PAUSE_MS, number) * between(0.5, 1.5, random));
    }
  }
}

/** The first pause, doubled after each failed try but the first, up to the longest. */
export function doubled(firstMs: number, times: number, longestMs = Number.POSITIVE_INFINITY): number {
  return Math.min(firstMs * 2 ** times, longestMs);
}

/** Jitter: a random factor, so that what failed or began together does not come back together. */
export function between(from: number, to: number, random: (length: number) => Uint8Array): number {
  return from + ((to - from) * (random(1)[0] ?? 0)) / 256;
}
