/** A copy of something that others change, kept fresh by use: no timer, nothing to close. */
export interface PolledValue<T> {
  /** A copy that is never older than `maxAgeMs`; waits for the source only past that. */
  get(): Promise<T>;
  /** The last copy, at once. */
  peek(): T;
  /** A fresh copy, for a caller that misses something in the last one; reads the source once in `retryMs`. */
  renew(): Promise<T>;
}

/** The source of a {@link PolledValue}, and how old its copy may be, in milliseconds. */
export interface PollOptions<T> {
  readonly load: () => Promise<T>;
  readonly clock: () => Date;
  /** From this age on, use starts a reload in the background. */
  readonly dueMs: number;
  /** From this age on, use waits for the reload, and fails when it fails. */
  readonly maxAgeMs: number;
  /** The least time between two reloads asked for by {@link PolledValue.renew}. */
  readonly retryMs: number;
}

/** Loads the first copy and keeps it fresh. Rejects as `load` does. */
export async function pollValue<T>({ load, clock, dueMs, maxAgeMs, retryMs }: PollOptions<T>): Promise<PolledValue<T>> {
  let value: T;
  let loadedAt: number;
  let triedAt: number;
  let running: Promise<T> | undefined;

  async function reload(): Promise<T> {
    // The age counts from before the read: the value may be as old as that.
    const askedAt = clock().getTime();
    triedAt = askedAt;
    value = await load();
    loadedAt = askedAt;
    return value;
  }

  function reloadOnce(): Promise<T> {
    running ??= reload().finally(() => {
      running = undefined;
    });
    return running;
  }

  function reloadBehind(): void {
    // A failure is not lost: the copy goes on ageing, and the caller that then waits for a new one gets the error.
    reloadOnce().catch(() => undefined);
  }

  value = await reloadOnce();
  return {
    async get() {
      const now = clock().getTime();
      // A clock that was set back says nothing about age.
      const age = now < loadedAt ? maxAgeMs : now - loadedAt;
      if (age >= maxAgeMs) return await reloadOnce();
      if (age >= dueMs && now - triedAt >= retryMs) reloadBehind();
      return value;
    },
    peek: () => value,
    async renew() {
      if (running !== undefined) return await running;
      const now = clock().getTime();
      return now >= triedAt && now - triedAt < retryMs ? value : await reloadOnce();
    },
  };
}
