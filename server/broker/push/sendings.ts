/** People who are told at once; in a rush those beyond are left out, for these are hints and nothing hangs on them. */
const MOST_AT_ONCE = 200;

/** The signal that ends all sendings, and the callback that is told of a failed one. */
interface SendingsOptions {
  readonly stopped: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

/** Keeps one sending under way for each user or person. */
export function createSendings(
  send: (id: string, latest: string) => Promise<void>,
  { stopped, onFailure }: SendingsOptions,
) {
  /** Of each who is being told, the sending, and the last that came meanwhile. */
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
