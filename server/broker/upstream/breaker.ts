/** A circuit breaker: keeps callers from waiting for an upstream that is known to be down. */
export interface Breaker {
  /** Seconds until the upstream is tried again; 0 while it is used. One caller at a time may try when they are over. */
  secondsUntilRetry(): number;
  succeeded(): void;
  failed(): void;
}

/** Options of a breaker: after how many failures it opens, and for how long. */
export interface BreakerOptions {
  readonly now: () => number;
  /** Failures in a row. Default 5. */
  readonly threshold?: number;
  /** Default 2 000 ms. */
  readonly pauseMs?: number;
}

/** Makes a breaker that opens after failures in a row, and closes with the first success. */
export function createBreaker({ now, threshold = 5, pauseMs = 2_000 }: BreakerOptions): Breaker {
  let failures = 0;
  let openUntil = 0;
  return {
    secondsUntilRetry() {
      if (failures < threshold) return 0;
      const at = now();
      if (at < openUntil) return Math.max(1, Math.ceil((openUntil - at) / 1000));
      // This caller tries; the others wait for what it finds.
      openUntil = at + pauseMs;
      return 0;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      failures += 1;
      if (failures >= threshold) openUntil = now() + pauseMs;
    },
  };
}
