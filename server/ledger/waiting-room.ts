/** What waits, and whose turn it takes. */
interface Waiting {
  readonly command: { readonly origin: { readonly entityId: string } };
}

/** What an entity waits for, in the order in which it came; what is before `next` was taken. */
interface Queue<T> {
  readonly items: T[];
  next: number;
}

/** So many taken items are forgotten at once, so that a queue that is never empty does not grow. */
const FORGOTTEN_AT_ONCE = 1_000;

/**
 * Where commands wait for their commit: entities take turns, and each is served in its own order. So whoever asks for
 * much waits for it, and not everybody else.
 */
export class WaitingRoom<T extends Waiting> {
  /** By entity, the one whose turn is next first. */
  readonly #queues = new Map<string, Queue<T>>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** How much an entity waits for. */
  lengthOf(entityId: string): number {
    const queue = this.#queues.get(entityId);
    return queue === undefined ? 0 : queue.items.length - queue.next;
  }

  push(item: T): void {
    const { entityId } = item.command.origin;
    const queue = this.#queues.get(entityId);
    if (queue === undefined) this.#queues.set(entityId, { items: [item], next: 0 });
    else queue.items.push(item);
    this.#length += 1;
  }

  /** Takes items while their sizes together are within the limit, one at least; what is too large is the next first. */
  take(limit: number, sizeOf: (item: T) => number): readonly T[] {
    const taken: T[] = [];
    let size = 0;
    for (let turn = this.#nextTurn(); turn !== undefined; turn = this.#nextTurn()) {
      size += sizeOf(turn.item);
      if (taken.length > 0 && size > limit) break;
      taken.push(turn.item);
      this.#pass(turn.entityId, turn.queue);
    }
    this.#length -= taken.length;
    return taken;
  }

  #nextTurn(): { readonly entityId: string; readonly queue: Queue<T>; readonly item: T } | undefined {
    const [first] = this.#queues;
    if (first === undefined) return undefined;
    const [entityId, queue] = first;
    const item = queue.items[queue.next];
    return item && { entityId, queue, item };
  }

  /** The entity's first item was taken: others are next. */
  #pass(entityId: string, queue: Queue<T>): void {
    queue.next += 1;
    if (queue.next === FORGOTTEN_AT_ONCE) {
      queue.items.splice(0, queue.next);
      queue.next = 0;
    }
    const isLast = queue.next === queue.items.length;
    if (this.#queues.size === 1 && !isLast) return;
    this.#queues.delete(entityId);
    if (!isLast) this.#queues.set(entityId, queue);
  }
}
