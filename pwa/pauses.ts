interface WithScheduler {
  /** Not in every browser yet (Prioritized Task Scheduling, `Scheduler.yield`). */
  readonly scheduler?: { readonly yield?: () => Promise<void> };
}

/** Lets the browser draw, and answer a touch, between two steps of something long. */
export async function breath(): Promise<void> {
  const { scheduler } = globalThis as WithScheduler;
  if (scheduler?.yield !== undefined) await scheduler.yield();
  else await new Promise<void>((done) => setTimeout(done));
}

/** Lets everything go first that the person waits for. */
export function rest(): Promise<void> {
  return new Promise((done) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => done(), { timeout: 1_000 });
    else setTimeout(done, 50);
  });
}
