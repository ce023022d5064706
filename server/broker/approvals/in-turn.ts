/** Runs one thing after the other. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Makes what runs works of the same key one after the other within this process: of twenty that approve with one
 * assertion, the second already finds what the first did, instead of a passkey that was used meanwhile.
 */
export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
