interface WithScheduler {
  /** Not in every browser yet (Prioritized Task Scheduling, `Scheduler.yield`). */
  readonly scheduler?: { readonly yield?: () => Promise<void> };
}

/** Yields to the browser between two steps of a long task, so that it can render and handle input. */
export async function yieldToBrowser(): Promise<void> {
  const { scheduler } = globalThis as WithScheduler;
  if (scheduler?.yield !== undefined) await scheduler.yield();
  else await new Promise<void>((done) => setTimeout(done));
}

/** Yields until the browser is idle, for a second at most. */
export function whenIdle(): Promise<void> {
  return new Promise((done) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => done(), { timeout: 1_000 });
    else setTimeout(done, 50);
  });
}
