import { deleteDB } from "idb";
import { databaseName } from "./database.ts";

/** Longest wait for another tab to close a database. */
const DELETE_TIMEOUT_MS = 3_000;

/**
 * Deletes a person's database; resolves to false if that failed or another tab still holds it after three seconds, so
 * that it must be tried again.
 */
export function deleteDatabase(userId: string): Promise<boolean> {
  if (globalThis.indexedDB === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), DELETE_TIMEOUT_MS);
    deleteDB(databaseName(userId)).then(
      () => resolve(true),
      () => resolve(false),
    );
  });
}
