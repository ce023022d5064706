/** A waiting command, the entity whose turn it takes, and its amount of work. */
interface Waiting {
  readonly command: { readonly origin: { readonly entityId: string } };
  readonly size: number;
}

/** What an entity waits for, in the order in which it came; what is before `next` was taken. */
interface Queue<T> {
  readonly items: T[];
  next: number;
  /** The sizes together of what waits. */
  size: number;
}

function lengthOf({ items, next }: Queue<unknown>): number {
  return items.length - next;
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
    return queue === undefined ? 0 : lengthOf(queue);
  }

  /** The sizes together of what is served before a next item of the entity would be. */
  sizeBefore(entityId: string): number {
    const turns = this.lengthOf(entityId) + 1;
    let size = 0;
    for (const [id, queue] of this.#queues)
      size += id === entityId ? queue.size : queue.size * Math.min(1, turns / lengthOf(queue));
    return size;
  }

  push(item: T): void {
    const { entityId } = item.command.origin;
    const queue = this.#queues.get(entityId) ?? { items: [], next: 0, size: 0 };
    this.#queues.set(entityId, queue);
    queue.items.push(item);
    queue.size += item.size;
    this.#length += 1;
  }

  /** Takes items while their sizes together are within the limit, one at least; what is too large is the next first. */
  take(limit: number): readonly T[] {
    const taken: T[] = [];
    let size = 0;
    for (let turn = this.#nextTurn(); turn !== undefined; turn = this.#nextTurn()) {
      size += turn.item.size;
      if (taken.length > 0 && size > limit) break;
      taken.push(turn.item);
      this.#pass(turn.queue, turn.item);
      const isLast = lengthOf(turn.queue) === 0;
      // Others are next.
      if (this.#queues.size === 1 && !isLast) continue;
      this.#queues.delete(turn.entityId);
      if (!isLast) this.#queues.set(turn.entityId, turn.queue);
    }
    return taken;
  }

  /** Takes out the items that wait at the head of their queue for which that holds; who is next stays next. */
  drop(isDropped: (item: T) => boolean): readonly T[] {
    const dropped: T[] = [];
    for (const [entityId, queue] of [...this.#queues]) {
      for (let item = queue.items[queue.next]; item !== undefined && isDropped(item); item = queue.items[queue.next]) {
        dropped.push(item);
        this.#pass(queue, item);
      }
      if (lengthOf(queue) === 0) this.#queues.delete(entityId);
    }
    return dropped;
  }

  #nextTurn(): { readonly entityId: string; readonly queue: Queue<T>; readonly item: T } | undefined {
    const [first] = this.#queues;
    if (first === undefined) return undefined;
    const [entityId, queue] = first;
    const item = queue.items[queue.next];
    return item && { entityId, queue, item };
  }

  #pass(queue: Queue<T>, { size }: T): void {
    queue.next += 1;
    queue.size -= size;
    this.#length -= 1;
    if (queue.next < FORGOTTEN_AT_ONCE) return;
    queue.items.splice(0, queue.next);
    queue.next = 0;
  }
}
