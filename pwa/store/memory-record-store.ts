import type { Movement } from "../../src/contract/broker/broker.ts";
import type { Draft } from "./draft.ts";
import { type Latest, type Metadata, newestFirst, type RecordChange, type RecordStore } from "./record-store.ts";

/** Keeps a person's data for as long as the page lives: where the browser keeps nothing, or has no room left. */
export class MemoryRecordStore implements RecordStore {
  readonly #movements = new Map<string, Movement>();
  readonly #drafts = new Map<string, Draft>();
  #metadata: Metadata = { pendingApprovals: [], positions: {} };

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

  async write({
    me,
    asOf,
    seenAt,
    nicknames,
    movements = [],
    position,
    draft,
    droppedDraft,
    pendingApprovals,
  }: RecordChange): Promise<void> {
    for (const movement of movements) this.#movements.set(movement.id, movement);
    if (draft !== undefined) this.#drafts.set(draft.id, draft);
    if (droppedDraft !== undefined) this.#drafts.delete(droppedDraft);
    const { [position?.list ?? "history"]: before, ...others } = this.#metadata.positions;
    const after = position === undefined ? before : position.at;
    this.#metadata = {
      ...this.#metadata,
      ...(pendingApprovals === undefined ? {} : { pendingApprovals }),
      ...(me === undefined ? {} : { me }),
      ...(asOf === undefined ? {} : { asOf }),
      ...(seenAt === undefined ? {} : { seenAt }),
      ...(nicknames === undefined ? {} : { nicknames }),
      positions: after === undefined ? others : { ...others, [position?.list ?? "history"]: after },
    };
  }

  close(): void {
    this.#movements.clear();
    this.#drafts.clear();
    this.#metadata = { pendingApprovals: [], positions: {} };
  }
}
