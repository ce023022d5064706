import type { Movement } from "../../src/contract/broker.ts";
import type { Draft } from "../drafts/draft.ts";
import { databaseName } from "./database.ts";
import { MemoryShelf } from "./memory-shelf.ts";
import { openShelf } from "./open-shelf.ts";
import { type Facts, type Latest, type ListName, newestFirst, type Shelf, type ShelfChange } from "./shelf.ts";
import { type SyncOptions, syncList } from "./sync-list.ts";

/** Why nothing is kept on the device for now: it has no room left, or its database is broken or not allowed. */
export type StoreTrouble = "full" | "broken";

/** Callbacks for changes of the kept data, and for trouble with keeping it. */
export interface KeptListener {
  /** Something changed, here or in another tab. */
  readonly onChange: () => void;
  readonly onTrouble: (trouble: StoreTrouble) => void;
}

/** The kind of change that a tab reports to the others: most leave the movements, which are many to read again. */
type Changed = "facts" | "movements";

/** Options of {@link syncList}, without those that access the kept data. */
export type ListReading = Pick<SyncOptions, "ask" | "rest">;

function troubleOf(error: unknown): StoreTrouble {
  return error instanceof DOMException && error.name === "QuotaExceededError" ? "full" : "broken";
}

/** One person's data, on the device for as long as that works and in memory from then on. */
export class Kept {
  readonly #listener: KeptListener;
  readonly #otherTabs: BroadcastChannel;
  #shelf: Shelf = new MemoryShelf();
  #closed = false;
  /** The move from the device to memory, once something has failed. */
  #moving: Promise<void> | undefined;
  #facts: Facts = { sent: [], places: {} };
  #drafts: readonly Draft[] = [];
  /** Every movement, newest first, once somebody has asked for all. */
  #all: Promise<readonly Movement[]> | undefined;

  private constructor(userId: string, listener: KeptListener) {
    this.#listener = listener;
    this.#otherTabs = new BroadcastChannel(databaseName(userId));
    this.#otherTabs.onmessage = ({ data }) => void this.#unlessClosed(() => this.#readAgain(data as Changed));
  }

  /** Opens the data that is kept of a person. */
  static async open(userId: string, listener: KeptListener): Promise<Kept> {
    const kept = new Kept(userId, listener);
    try {
      kept.#shelf = await openShelf(userId, { onClosed: (isDeleted) => void kept.#lost(isDeleted) });
    } catch (error) {
      listener.onTrouble(troubleOf(error));
    }
    await kept.#readFacts();
    return kept;
  }

  get facts(): Facts {
    return this.#facts;
  }

  get drafts(): readonly Draft[] {
    return this.#drafts;
  }

  movement(id: string): Promise<Movement | undefined> {
    return this.#safely((shelf) => shelf.movement(id));
  }

  /** The newest, without reading the others. */
  async latest(wanted: Latest): Promise<readonly Movement[]> {
    const { count, direction } = wanted;
    if (this.#all === undefined) return this.#safely((shelf) => shelf.latest(wanted));
    const all = await this.#all;
    return (direction === undefined ? all : all.filter((one) => one.direction === direction)).slice(0, count);
  }

  /** Every movement, newest first. */
  all(): Promise<readonly Movement[]> {
    this.#all ??= this.#safely((shelf) => shelf.all());
    return this.#all;
  }

  /** Stores a change, and notifies the other tabs. */
  write(change: ShelfChange): Promise<void> {
    return this.#unlessClosed(() => this.#write(change));
  }

  async #write(change: ShelfChange): Promise<void> {
    await this.#safely((shelf) => shelf.write(change));
    const { movements = [], draft, droppedDraft, ...facts } = change;
    if (this.#all !== undefined && movements.length > 0) this.#all = this.#all.then((all) => merged(all, movements));
    if (Object.keys(facts).length > 0) this.#facts = await this.#safely((shelf) => shelf.facts());
    if (draft !== undefined || droppedDraft !== undefined) {
      this.#drafts = await this.#safely((shelf) => shelf.drafts());
    }
    if (this.#closed) return;
    this.#otherTabs.postMessage((movements.length > 0 ? "movements" : "facts") satisfies Changed);
    this.#listener.onChange();
  }

  /** Brings one list up to date; `onPage` gets each page, and whether the whole list was kept before. */
  async sync(
    list: ListName,
    { ask, rest }: ListReading,
    onPage: (movements: readonly Movement[], wasWhole: boolean) => Promise<void>,
  ): Promise<void> {
    // Another tab may have read further pages.
    await this.#readFacts();
    const before = this.#facts.places[list];
    await syncList(
      {
        ask,
        rest,
        keep: async (movements, place) => {
          await this.write({ movements, place: { list, place } });
          await onPage(movements, before?.whole === true);
        },
        has: async (movement) => JSON.stringify(await this.movement(movement.id)) === JSON.stringify(movement),
      },
      before,
    );
  }

  /** Closes the shelf and the channel to the other tabs. */
  close(): void {
    this.#closed = true;
    this.#otherTabs.close();
    this.#shelf.close();
    this.#all = undefined;
  }

  async #readFacts(): Promise<void> {
    [this.#facts, this.#drafts] = await Promise.all([
      this.#safely((shelf) => shelf.facts()),
      this.#safely((shelf) => shelf.drafts()),
    ]);
  }

  /** Runs a change unless closed, and ignores its failure if the person leaves meanwhile. */
  async #unlessClosed(act: () => Promise<void>): Promise<void> {
    if (this.#closed) return;
    try {
      await act();
    } catch (error) {
      if (!this.#closed) throw error;
    }
  }

  async #readAgain(changed: Changed): Promise<void> {
    if (this.#shelf instanceof MemoryShelf) return;
    if (changed !== "facts") this.#all = undefined;
    await this.#readFacts();
    this.#listener.onChange();
  }

  /** Runs an operation on the device; if it fails, moves all that is still known to memory and repeats it there. */
  async #safely<T>(use: (shelf: Shelf) => Promise<T>): Promise<T> {
    await this.#moving;
    const shelf = this.#shelf;
    try {
      return await use(shelf);
    } catch (error) {
      if (shelf instanceof MemoryShelf || this.#closed) throw error;
      await this.#toMemory(shelf);
      this.#listener.onTrouble(troubleOf(error));
      return use(this.#shelf);
    }
  }

  /** Moves to memory once the browser or another tab has closed the database; a deleted one is no trouble. */
  async #lost(isDeleted: boolean): Promise<void> {
    const shelf = this.#shelf;
    if (this.#closed || shelf instanceof MemoryShelf) return;
    await this.#toMemory(shelf);
    if (!isDeleted) this.#listener.onTrouble("broken");
  }

  #toMemory(device: Shelf): Promise<void> {
    this.#moving ??= this.#move(device);
    return this.#moving;
  }

  async #move(device: Shelf): Promise<void> {
    const memory = new MemoryShelf();
    const { places, ...facts } = this.#facts;
    await memory.write(facts);
    for (const draft of this.#drafts) await memory.write({ draft });
    // A full database can still be read; what cannot be read comes from the broker again. A pending read of all may
    // wait for this move, and so is not awaited.
    const read = await Promise.race([this.#all, undefined]).catch(() => undefined);
    const movements = read ?? (await device.all().catch(() => undefined));
    if (movements !== undefined) {
      await memory.write({ movements });
      for (const [list, place] of Object.entries(places)) {
        await memory.write({ place: { list: list as ListName, place } });
      }
    }
    this.#shelf = memory;
    this.#facts = await memory.facts();
  }
}

/** Merges by id: a movement that changed twice comes twice, and the last one counts, as in the database. */
function merged(all: readonly Movement[], changed: readonly Movement[]): readonly Movement[] {
  const byId = new Map([...all, ...changed].map((movement) => [movement.id, movement]));
  return [...byId.values()].sort(newestFirst);
}
