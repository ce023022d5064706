import { setTimeout as delay } from "node:timers/promises";

/**
 * Waits at most `waitMs` for the result of work, which goes on without its caller; returns `before` if it takes longer.
 */
export async function withinTime<T>(running: Promise<T>, before: T, waitMs: number): Promise<T> {
  const timer = new AbortController();
  try {
    return await Promise.race([running, delay(waitMs, before, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
