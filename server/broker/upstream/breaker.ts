import { ApiError } from "../../../src/contract/shared/errors.ts";

/** A circuit breaker: keeps callers from waiting for an upstream that is known to be down. */
export interface Breaker {
  /** Refuses while the upstream is known to be down. One caller at a time may try when the pause is over. */
  refuseWhileOpen(): void;
  succeeded(): void;
  failed(): void;
}

/** Failures in a row. */
const THRESHOLD = 5;
const PAUSE_MS = 2_000;

/** Makes a breaker that opens after failures in a row, and closes with the first success. */
export function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let openUntil = 0;
  return {
    refuseWhileOpen() {
      if (failures < THRESHOLD) return;
      const at = now();
      if (at < openUntil) throw new ApiError("unavailable", { retryAfter: Math.ceil((openUntil - at) / 1000) });
      // This caller tries; the others wait for what it finds.
      openUntil = at + PAUSE_MS;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      failures += 1;
      if (failures >= THRESHOLD) openUntil = now() + PAUSE_MS;
    },
  };
}
