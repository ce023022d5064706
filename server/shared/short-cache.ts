/**
 * A cache in memory that answers many callers with one load: the value is shared for a short time, and so is loading
 * it.
 */
export interface ShortCache<T> {
  /** The value and its age. A failed load fails for all that waited for it, and is not cached. */
  get(key: string, load: () => Promise<T>): Promise<{ readonly value: T; readonly ageMs: number }>;
  /** Invalidates a key: later calls get a value that is loaded after this one. */
  forget(key: string): void;
}

/** Options of {@link createShortCache}. */
export interface ShortCacheOptions {
  readonly now: () => number;
  /** No value is older than this; it ages from the start of its load. */
  readonly lifeMs: number;
  /**
   * From this age on, a value that is asked for is loaded again while callers still get it: no value in use ends for
   * many callers at once. A failure of that load fails nobody before the value's life is over. Default: `lifeMs`.
   */
  readonly renewMs?: number;
  /** Past it the key that was loaded first is dropped. */
  readonly maxKeys: number;
}

interface Entry<T> {
  readonly at: number;
  readonly value: Promise<T>;
  /** True while the value is loaded, for the first time or again. */
  isLoading: boolean;
}

/** Makes a cache whose entries live for a short time. */
export function createShortCache<T>({ now, lifeMs, renewMs = lifeMs, maxKeys }: ShortCacheOptions): ShortCache<T> {
  const entries = new Map<string, Entry<T>>();

  function remember(key: string, at: number, value: Promise<T>): Entry<T> {
    const entry = { at, value, isLoading: true };
    const settle = (): void => {
      entry.isLoading = false;
    };
    value.then(settle, settle);
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxKeys && oldest !== undefined) entries.delete(oldest);
    return entry;
  }

  /** Puts a new value in an entry's place once it is there, unless the key was forgotten meanwhile. */
  async function renew(key: string, entry: Entry<T>, load: () => Promise<T>): Promise<void> {
    entry.isLoading = true;
    const at = now();
    try {
      const loading = load();
      await loading;
      if (entries.get(key) === entry) remember(key, at, loading);
    } catch {
      // Tried again at the next call; once the value's life is over, the failure is that of its caller.
      entry.isLoading = false;
    }
  }

  return {
    forget(key) {
      entries.delete(key);
    },
    async get(key, load) {
      const kept = entries.get(key);
      const age = kept === undefined ? lifeMs : now() - kept.at;
      const entry = kept !== undefined && age < lifeMs ? kept : remember(key, now(), load());
      if (entry === kept && age >= renewMs && !entry.isLoading) void renew(key, entry, load);
      try {
        const value = await entry.value;
        return { value, ageMs: now() - entry.at };
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key);
        throw error;
      }
    },
  };
}
