/** Concurrent requests to the service: few, so that one long list does not crowd out the payments of others. */
const AT_ONCE = 8;

/** Calls `ask` once for each distinct key, at most `AT_ONCE` at a time, and returns the answers by key. */
export async function askEach<V>(
  keys: Iterable<string>,
  ask: (key: string) => Promise<V>,
): Promise<ReadonlyMap<string, V>> {
  const left = [...new Set(keys)];
  const known = new Map<string, V>();
  const worker = async (): Promise<void> => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) known.set(key, await ask(key));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return known;
}
