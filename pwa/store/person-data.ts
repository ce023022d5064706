import type { Movement } from "../../src/contract/broker/broker.ts";
import { nameOfError } from "../../src/name-of-error.ts";
import { own } from "../platform/own.ts";
import { databaseName, type OpenOptions, openDatabase } from "./database.ts";
import { DatabaseConnection } from "./database-connection.ts";
import { DatabaseRecordStore } from "./database-record-store.ts";
import type { Draft } from "./draft.ts";
import type { KnownData } from "./memory-record-store.ts";
import {
  type Latest,
  type ListName,
  type Metadata,
  newestFirst,
  type RecordChange,
  type RecordStore,
} from "./record-store.ts";
import { type SyncOptions, syncList } from "./sync-list.ts";

interface RecordStoreOptions extends OpenOptions {
  /** Called when the page comes back from the back/forward cache. */
  readonly onReturn: () => void;
}

async function open(userId: string, { onReturn, ...options }: RecordStoreOptions): Promise<RecordStore> {
  const connection = new DatabaseConnection((more) => openDatabase(userId, { ...options, ...more }), onReturn);
  const shelf = new DatabaseRecordStore(connection);
  try {
    // A database that opens and cannot be read is broken too.
    await Promise.all([shelf.metadata(), shelf.latest({ count: 1 }), shelf.drafts()]);
    return shelf;
  } catch (error) {
    shelf.close();
    throw error;
  }
}

/**
 * Opens a person's shelf in the browser's database. One that is broken, or that a newer app has left behind, is made
 * anew, because the broker has everything but the drafts; fails where the browser keeps nothing at all.
 */
async function openRecordStore(userId: string, options: RecordStoreOptions): Promise<RecordStore> {
  try {
    // A browser that comes back from the background may have lost its database for a moment, but none of its data.
    return await open(userId, options).catch(() => open(userId, options));
  } catch (error) {
    // A full device has no broken database: its data is read the next time.
    if (nameOfError(error) === "QuotaExceededError") throw error;
    const { deleteDatabase } = await import("./delete-database.ts");
    await deleteDatabase(userId);
    return open(userId, options);
  }
}

/** Why nothing is kept on the device for now: it has no room left, or its database is broken or not allowed. */
export type StoreTrouble = "full" | "broken";

/** Callbacks for changes of the kept data, and for trouble with keeping it. */
export interface PersonDataListener {
  /** Something changed, here or in another tab. */
  readonly onChange: () => void;
  readonly onTrouble: (trouble: StoreTrouble) => void;
}

/** The kind of change that a tab reports to the others: most leave the movements, which are many to read again. */
type Changed = "metadata" | "movements";

/** Options of {@link syncList}, without those that access the kept data. */
export type ListReader = Pick<SyncOptions, "ask" | "whenIdle">;

/** Loaded where the device keeps nothing: the first page does without it. */
async function openMemory(known: KnownData): Promise<RecordStore> {
  const { MemoryRecordStore } = await import("./memory-record-store.ts");
  return new MemoryRecordStore(known);
}

function troubleOf(error: unknown): StoreTrouble {
  return nameOfError(error) === "QuotaExceededError" ? "full" : "broken";
}

/** One person's data, on the device for as long as that works and in memory from then on. */
export class PersonData {
  readonly #listener: PersonDataListener;
  readonly #otherTabs: BroadcastChannel;
  #records: Promise<RecordStore>;
  /** True while the records are on the device. */
  #isKept = false;
  #closed = false;
  #metadata: Metadata = { pendingApprovals: [], positions: {} };
  #drafts: readonly Draft[] = [];
  /** How many times movements came, here or in another tab. */
  revision = 0;
  /** Every movement, newest first, once somebody has asked for all. */
  #all: Promise<readonly Movement[]> | undefined;

  private constructor(userId: string, listener: PersonDataListener) {
    this.#listener = listener;
    this.#otherTabs = new BroadcastChannel(databaseName(userId));
    this.#otherTabs.onmessage = ({ data }) => this.#changedElsewhere(data as Changed);
    this.#records = this.#open(userId);
  }

  /** Opens the data that is kept of a person. */
  static async open(userId: string, listener: PersonDataListener): Promise<PersonData> {
    const data = new PersonData(userId, listener);
    await data.#readMetadata();
    return data;
  }

  async #open(userId: string): Promise<RecordStore> {
    try {
      const records = await openRecordStore(userId, {
        onClosed: (isDeleted) => own(this.#lost(isDeleted)),
        // A page that the browser kept aside has heard nothing of the other tabs.
        onReturn: () => this.#changedElsewhere("movements"),
      });
      this.#isKept = true;
      return records;
    } catch (error) {
      this.#listener.onTrouble(troubleOf(error));
      return openMemory({});
    }
  }

  get metadata(): Metadata {
    return this.#metadata;
  }

  get drafts(): readonly Draft[] {
    return this.#drafts;
  }

  movement(id: string): Promise<Movement | undefined> {
    return this.#safely((records) => records.movement(id));
  }

  /** The newest, without reading the others. */
  async latest(wanted: Latest): Promise<readonly Movement[]> {
    const { count, direction } = wanted;
    if (this.#all === undefined) return this.#safely((records) => records.latest(wanted));
    const all = await this.#all;
    return (direction === undefined ? all : all.filter((one) => one.direction === direction)).slice(0, count);
  }

  /** Every movement, newest first. */
  all(): Promise<readonly Movement[]> {
    this.#all ??= this.#safely((records) => records.all());
    return this.#all;
  }

  /** Stores a change, and notifies the other tabs. */
  write(change: RecordChange): Promise<void> {
    return this.#unlessClosed(() => this.#write(change));
  }

  async #write(change: RecordChange): Promise<void> {
    await this.#safely((records) => records.write(change));
    const { movements = [], draft, droppedDraft, ...metadata } = change;
    if (movements.length > 0) this.revision += 1;
    if (this.#all !== undefined && movements.length > 0) this.#all = this.#all.then((all) => merged(all, movements));
    if (Object.keys(metadata).length > 0) this.#metadata = await this.#safely((records) => records.metadata());
    if (draft !== undefined || droppedDraft !== undefined) {
      this.#drafts = await this.#safely((records) => records.drafts());
    }
    if (this.#closed) return;
    this.#otherTabs.postMessage((movements.length > 0 ? "movements" : "metadata") satisfies Changed);
    this.#listener.onChange();
  }

  /** Brings one list up to date; `onPage` gets each page, and whether the whole list was kept before. */
  async sync(
    list: ListName,
    { ask, whenIdle }: ListReader,
    onPage: (movements: readonly Movement[], wasWhole: boolean) => Promise<void>,
  ): Promise<void> {
    // Another tab may have read further pages.
    await this.#readMetadata();
    const before = this.#metadata.positions[list];
    await syncList(
      {
        ask,
        whenIdle,
        keep: async (movements, position) => {
          await this.write({ movements, position: { list, at: position } });
          await onPage(movements, before?.whole === true);
        },
        has: async (movement) => JSON.stringify(await this.movement(movement.id)) === JSON.stringify(movement),
      },
      before,
    );
  }

  /** Closes the records and the channel to the other tabs. */
  close(): void {
    this.#closed = true;
    this.#otherTabs.close();
    own(this.#records.then((records) => records.close()));
    this.#all = undefined;
  }

  async #readMetadata(): Promise<void> {
    [this.#metadata, this.#drafts] = await Promise.all([
      this.#safely((records) => records.metadata()),
      this.#safely((records) => records.drafts()),
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

  #changedElsewhere(changed: Changed): void {
    own(this.#unlessClosed(() => this.#readAgain(changed)));
  }

  async #readAgain(changed: Changed): Promise<void> {
    if (!this.#isKept) return;
    if (changed !== "metadata") {
      this.#all = undefined;
      this.revision += 1;
    }
    await this.#readMetadata();
    this.#listener.onChange();
  }

  /** Runs an operation on the device; if it fails, moves all that is still known to memory and repeats it there. */
  async #safely<T>(use: (records: RecordStore) => Promise<T>): Promise<T> {
    const records = this.#records;
    try {
      return await use(await records);
    } catch (error) {
      if (this.#closed || (!this.#isKept && records === this.#records)) throw error;
      return use(await this.#toMemory(troubleOf(error)));
    }
  }

  /** Moves to memory once the browser or another tab has closed the database; a deleted one is no trouble. */
  async #lost(isDeleted: boolean): Promise<void> {
    if (!this.#closed && this.#isKept) await this.#toMemory(isDeleted ? undefined : "broken");
  }

  async #toMemory(trouble: StoreTrouble | undefined): Promise<RecordStore> {
    if (this.#isKept) this.#records = this.#move(this.#records);
    this.#isKept = false;
    const memory = await this.#records;
    if (trouble !== undefined) this.#listener.onTrouble(trouble);
    return memory;
  }

  async #move(kept: Promise<RecordStore>): Promise<RecordStore> {
    const device = await kept;
    // A full database can still be read; what cannot be read comes from the broker again. A pending read of all may
    // wait for this move, and so is not awaited.
    const read = await Promise.race([this.#all, undefined]).catch(() => undefined);
    const movements = read ?? (await device.all().catch(() => undefined));
    device.close();
    const memory = await openMemory({ metadata: this.#metadata, drafts: this.#drafts, movements });
    this.#metadata = await memory.metadata();
    return memory;
  }
}

/** Merges by id: a movement that changed twice comes twice, and the last one counts, as in the database. */
function merged(all: readonly Movement[], changed: readonly Movement[]): readonly Movement[] {
  const byId = new Map([...all, ...changed].map((movement) => [movement.id, movement]));
  return [...byId.values()].sort(newestFirst);
}
