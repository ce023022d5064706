/** A queued command, its entity, and its amount of work. */
interface Waiting {
  readonly command: { readonly origin: { readonly entityId: string } };
  readonly size: number;
}

/** The queued items of an entity in order of arrival; those before `next` were taken. */
interface Queue<T> {
  readonly items: T[];
  next: number;
  /** The sum of the sizes of the queued items. */
  size: number;
}

function lengthOf({ items, next }: Queue<unknown>): number {
  return items.length - next;
}

/** Taken items are removed in blocks of this many, so that a queue that is never empty does not grow. */
const FORGOTTEN_AT_ONCE = 1_000;

/**
 * A fair queue of the commands that wait for their commit: entities take turns, and each is served in its own order. So
 * an entity that sends much delays itself, and not all others.
 */
export class FairQueue<T extends Waiting> {
  /** By entity, the one whose turn is next first. */
  readonly #queues = new Map<string, Queue<T>>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The sum of the sizes of all queued items. */
  get size(): number {
    let size = 0;
    for (const queue of this.#queues.values()) size += queue.size;
    return size;
  }

  /** The number of items that an entity has queued. */
  lengthOf(entityId: string): number {
    const queue = this.#queues.get(entityId);
    return queue === undefined ? 0 : lengthOf(queue);
  }

  /** The sum of the sizes that are served before a next item of the entity would be. */
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

  /** Takes items while their sizes add up to at most the limit, one at least; the one beyond it is the next first. */
  take(limit: number): readonly T[] {
    const taken: T[] = [];
    let size = 0;
    for (let turn = this.#nextTurn(); turn !== undefined; turn = this.#nextTurn()) {
      size += turn.item.size;
      if (taken.length > 0 && size > limit) break;
      taken.push(turn.item);
      this.#pass(turn.queue, turn.item);
      const isLast = lengthOf(turn.queue) === 0;
      // The other entities come first now.
      if (this.#queues.size === 1 && !isLast) continue;
      this.#queues.delete(turn.entityId);
      if (!isLast) this.#queues.set(turn.entityId, turn.queue);
    }
    return taken;
  }

  /** Removes items from the head of each queue while the predicate holds; the order of turns stays as it is. */
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
