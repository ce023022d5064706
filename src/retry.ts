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

/**
 * Sends until an answer comes, and throws the error that is final or that of the last try. Between tries it waits the
 * error's own pause, and 100 ms more, doubled after each try, times a random factor of 0.5 to 1.5.
 */
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

/** Returns the pause `firstMs`, doubled `times` times, but at most `longestMs`. */
export function doubled(firstMs: number, times: number, longestMs = Number.POSITIVE_INFINITY): number {
  return Math.min(firstMs * 2 ** times, longestMs);
}

/**
 * Returns a random number from `from` to `to`: jitter, so that calls that failed or began together do not come back
 * together.
 */
export function between(from: number, to: number, random: (length: number) => Uint8Array): number {
  return from + ((to - from) * (random(1)[0] ?? 0)) / 256;
}
