import type { IDBPObjectStore, IDBPTransaction, StoreNames } from "idb";
import type { OpenOptions, PersonDatabase, PersonSchema } from "./database.ts";

type Name = StoreNames<PersonSchema>;

const STORES: Name[] = ["movements", "facts", "drafts"];

/** Opens a person's database with further options. */
type Open = (options: Pick<OpenOptions, "onUpgrade" | "isKnown">) => Promise<PersonDatabase>;

/**
 * The connection to a person's database, which is closed while the browser keeps the page in its back/forward cache: a
 * deletion would wait for it, and in WebKit a transaction of such a page has all others wait for ever. A transaction
 * that this ends is repeated once the page is back.
 */
export class DatabaseConnection {
  readonly #open: Open;
  readonly #running = new Set<{ abort(): void }>();
  readonly #listening = new AbortController();
  #database: Promise<PersonDatabase> | undefined;
  #isKnown = false;

  /** `onReturn` is called when the page is back from the cache. */
  constructor(open: Open, onReturn: () => void) {
    this.#open = open;
    addEventListener("pagehide", ({ persisted }) => persisted && this.#leave(), this.#listening);
    addEventListener("pageshow", ({ persisted }) => persisted && onReturn(), this.#listening);
  }

  /** Reads from one object store. */
  read<Store extends Name, T>(
    name: Store,
    act: (store: IDBPObjectStore<PersonSchema, Store[], Store>) => Promise<T>,
  ): Promise<T> {
    return this.#use([name], "readonly", (transaction) => act(transaction.objectStore(name)));
  }

  /** Writes all or, if that fails, nothing. */
  async write(act: (transaction: IDBPTransaction<PersonSchema, Name[], "readwrite">) => Promise<unknown>) {
    await this.#use(STORES, "readwrite", act);
  }

  /** Acts in a transaction, and resolves once that is complete. */
  async #use<Names extends Name[], Mode extends "readonly" | "readwrite", T>(
    names: Names,
    mode: Mode,
    act: (transaction: IDBPTransaction<PersonSchema, Names, Mode>) => Promise<T>,
  ): Promise<T> {
    this.#database ??= this.#open({ onUpgrade: (upgrade) => this.#begun(upgrade), isKnown: this.#isKnown });
    const database = this.#database;
    try {
      const transaction = (await database).transaction(names, mode);
      this.#begun(transaction);
      return (await Promise.all([act(transaction), transaction.done]))[0];
    } catch (error) {
      if (this.#database === database) throw error;
      return this.#use(names, mode, act);
    }
  }

  /** Closes it for good. */
  close(): void {
    this.#listening.abort();
    this.#close();
  }

  #close(): void {
    const closed = (database: PersonDatabase): void => {
      this.#isKnown = true;
      database.close();
    };
    // The failure of one that could not be opened is that of its users.
    this.#database?.then(closed, () => undefined);
  }

  #leave(): void {
    for (const transaction of this.#running) {
      try {
        transaction.abort();
      } catch {
        // It is being committed, which does not need the page.
      }
    }
    this.#close();
    this.#database = undefined;
  }

  #begun(transaction: { abort(): void; readonly done: Promise<unknown> }): void {
    const ended = (): unknown => this.#running.delete(transaction);
    this.#running.add(transaction);
    transaction.done.then(ended, ended);
  }
}
