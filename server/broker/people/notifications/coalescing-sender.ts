/** Recipients that are notified at once; in a rush others are dropped, as nothing depends on these hints. */
const MOST_AT_ONCE = 200;

/** The signal that ends all sendings, and the callback for a failed one. */
interface SendingsOptions {
  readonly stopped: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

/** Keeps at most one sending under way for each user or person. */
export function createCoalescingSender(
  send: (id: string, latest: string) => Promise<void>,
  { stopped, onFailure }: SendingsOptions,
) {
  /** For each recipient the sending under way, and the latest id that came meanwhile. */
  const underWay = new Map<string, { readonly sending: Promise<void>; next?: string }>();

  async function run(id: string, latest: string): Promise<void> {
    await send(id, latest).catch(onFailure);
    const next = underWay.get(id)?.next;
    underWay.delete(id);
    if (next !== undefined) tell(id, next);
  }

  function tell(id: string, latest: string): void {
    if (stopped.aborted) return;
    const before = underWay.get(id);
    if (before !== undefined) before.next = latest;
    else if (underWay.size < MOST_AT_ONCE) underWay.set(id, { sending: run(id, latest) });
  }

  return { tell, done: () => Promise.all([...underWay.values()].map(({ sending }) => sending)) };
}
