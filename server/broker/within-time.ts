import { setTimeout as delay } from "node:timers/promises";

/** Waits a while for what goes on by itself, and answers what was known before when that takes longer. */
export async function withinTime<T>(running: Promise<T>, before: T, waitMs: number): Promise<T> {
  const timer = new AbortController();
  try {
    return await Promise.race([running, delay(waitMs, before, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
