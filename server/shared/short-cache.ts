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

interface Entry<T> {
  readonly at: number;
  readonly value: Promise<T>;
}

/**
 * Makes a cache whose entries live for `lifeMs` from the start of their load; past `maxKeys` the one that was loaded
 * first is dropped.
 */
export function createShortCache<T>(options: {
  readonly now: () => number;
  readonly lifeMs: number;
  readonly maxKeys: number;
}): ShortCache<T> {
  const { now, lifeMs, maxKeys } = options;
  const entries = new Map<string, Entry<T>>();

  function remember(key: string, load: () => Promise<T>): Entry<T> {
    const entry = { at: now(), value: load() };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxKeys && oldest !== undefined) entries.delete(oldest);
    return entry;
  }

  return {
    forget(key) {
      entries.delete(key);
    },
    async get(key, load) {
      const kept = entries.get(key);
      const entry = kept !== undefined && now() - kept.at < lifeMs ? kept : remember(key, load);
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
