import type { Movement } from "../../src/contract/broker.ts";
import type { Draft } from "../drafts/draft.ts";
import { type Facts, type Latest, newestFirst, type Shelf, type ShelfChange } from "./shelf.ts";

/** Keeps a person's data for as long as the page lives: where the browser keeps nothing, or has no room left. */
export class MemoryShelf implements Shelf {
  readonly #movements = new Map<string, Movement>();
  readonly #drafts = new Map<string, Draft>();
  #facts: Facts = { sent: [], places: {} };

  async facts(): Promise<Facts> {
    return this.#facts;
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

  async write({ me, asOf, movements = [], place, draft, droppedDraft, sent }: ShelfChange): Promise<void> {
    for (const movement of movements) this.#movements.set(movement.id, movement);
    if (draft !== undefined) this.#drafts.set(draft.id, draft);
    if (droppedDraft !== undefined) this.#drafts.delete(droppedDraft);
    const { [place?.list ?? "history"]: before, ...others } = this.#facts.places;
    const after = place === undefined ? before : place.place;
    this.#facts = {
      ...this.#facts,
      ...(sent === undefined ? {} : { sent }),
      ...(me === undefined ? {} : { me }),
      ...(asOf === undefined ? {} : { asOf }),
      places: after === undefined ? others : { ...others, [place?.list ?? "history"]: after },
    };
  }

  close(): void {
    this.#movements.clear();
    this.#drafts.clear();
    this.#facts = { sent: [], places: {} };
  }
}
