import type { Movement } from "../../src/contract/broker/broker.ts";
import { type Draft, isWaiting } from "./draft.ts";
import { type Latest, type Metadata, newestFirst, type RecordChange, type RecordStore } from "./record-store.ts";

const NOTHING: Metadata = Object.freeze({ pendingApprovals: [], positions: {} });

/** A person's data, as far as it could be read. */
export interface KnownData {
  readonly metadata?: Metadata;
  readonly drafts?: readonly Draft[];
  readonly movements?: readonly Movement[] | undefined;
}

/** Keeps a person's data for as long as the page lives: where the browser keeps nothing, or has no room left. */
export class MemoryRecordStore implements RecordStore {
  readonly #movements: Map<string, Movement>;
  readonly #drafts: Map<string, Draft>;
  #metadata: Metadata;

  /** Begins with what is known; without the movements the lists are to be read anew from the broker. */
  constructor({ metadata = NOTHING, drafts = [], movements }: KnownData) {
    this.#metadata = movements === undefined ? { ...metadata, positions: {} } : metadata;
    this.#drafts = new Map(drafts.map((draft) => [draft.id, draft]));
    this.#movements = new Map(movements?.map((movement) => [movement.id, movement]));
  }

  async metadata(): Promise<Metadata> {
    return this.#metadata;
  }

  async movement(id: string): Promise<Movement | undefined> {
    return this.#movements.get(id);
  }

  async latest({ count, direction }: Latest): Promise<readonly Movement[]> {
    const all = await this.all();
    return all.filter((movement) => direction === undefined || movement.direction === direction).slice(0, count);
  }

  async all(): Promise<readonly Movement[]> {
    return [...this.#movements.values()].sort(newestFirst);
  }

  async drafts(): Promise<readonly Draft[]> {
    return [...this.#drafts.values()];
  }

  async write({ movements = [], position, draft, droppedDraft, ...facts }: RecordChange): Promise<void> {
    for (const movement of movements) this.#movements.set(movement.id, movement);
    if (draft !== undefined && !isWaiting(draft, [...this.#drafts.values()])) this.#drafts.set(draft.id, draft);
    if (droppedDraft !== undefined) this.#drafts.delete(droppedDraft);
    const { [position?.list ?? "history"]: before, ...others } = this.#metadata.positions;
    const after = position === undefined ? before : position.at;
    const positions = after === undefined ? others : { ...others, [position?.list ?? "history"]: after };
    this.#metadata = { ...this.#metadata, ...facts, positions };
  }

  close(): void {
    this.#movements.clear();
    this.#drafts.clear();
    this.#metadata = NOTHING;
  }
}
