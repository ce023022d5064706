import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";
import type { Movement } from "../../src/contract/broker/broker.ts";
import type { Draft } from "./draft.ts";

/** Object stores of a person's database. */
export interface PersonSchema extends DBSchema {
  movements: {
    key: string;
    value: Movement;
    indexes: { time: [string, string]; direction: [string, string, string] };
  };
  /** One fact by its name: the person, when all was confirmed, how far each list has been read. */
  facts: { key: string; value: unknown };
  drafts: { key: string; value: Draft };
}

/** A person's open database. */
export type PersonDatabase = IDBPDatabase<PersonSchema>;

/** The transaction in which a database is brought to the present version. */
type UpgradeTransaction = IDBPTransaction<PersonSchema, StoreNames<PersonSchema>[], "versionchange">;

/** One schema migration, run while the database is being opened. */
type Upgrade = (database: PersonDatabase, transaction: UpgradeTransaction) => void;

/** Migrations from one version of the database to the next, oldest first. Steps are added, never changed. */
export const upgrades: readonly Upgrade[] = Object.freeze([
  (database) => {
    const movements = database.createObjectStore("movements", { keyPath: "id" });
    movements.createIndex("time", ["created_at", "id"]);
    movements.createIndex("direction", ["direction", "created_at", "id"]);
    database.createObjectStore("facts");
    database.createObjectStore("drafts", { keyPath: "id" });
  },
] satisfies Upgrade[]);

/** Options of opening a database. */
export interface OpenOptions {
  /** Called once the database was closed by the browser, or for another tab: true if that tab deletes it. */
  readonly onClosed: (isDeleted: boolean) => void;
  /** Called at the start of an upgrade. */
  readonly onUpgrade?: (transaction: UpgradeTransaction) => void;
  /** True if it was there before: one that was deleted since is not made again, and opening it fails. */
  readonly isKnown?: boolean;
  readonly steps?: readonly Upgrade[];
}

/** Returns the name of a person's database. */
export function databaseName(userId: string): string {
  return `cupo.${userId}`;
}

/** Opens a person's database, and brings it to the present version. */
export function openDatabase(
  userId: string,
  { onClosed, onUpgrade, isKnown, steps = upgrades }: OpenOptions,
): Promise<PersonDatabase> {
  return openDB<PersonSchema>(databaseName(userId), steps.length, {
    upgrade(database, oldVersion, _newVersion, transaction) {
      onUpgrade?.(transaction);
      if (isKnown && oldVersion === 0) return transaction.abort();
      for (const step of steps.slice(oldVersion)) step(database, transaction);
    },
    // Another tab that deletes or upgrades it must not have to wait for this one.
    blocking(_oldVersion, newVersion, event) {
      (event.target as IDBDatabase).close();
      onClosed(newVersion === null);
    },
    terminated: () => onClosed(false),
  });
}
