import { deleteDatabase, type OpenOptions, openDatabase } from "./database.ts";
import { DatabaseRecordStore } from "./database-record-store.ts";
import type { RecordStore } from "./record-store.ts";

async function open(userId: string, options: OpenOptions): Promise<RecordStore> {
  const database = await openDatabase(userId, options);
  const shelf = new DatabaseRecordStore(database);
  try {
    // A database that opens and cannot be read is broken too.
    await Promise.all([shelf.metadata(), shelf.latest({ count: 1 }), shelf.drafts()]);
    return shelf;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens a person's shelf in the browser's database. One that is broken, or that a newer app has left behind, is made
 * anew, because the broker has everything but the drafts; fails where the browser keeps nothing at all.
 */
export async function openRecordStore(userId: string, options: OpenOptions): Promise<RecordStore> {
  try {
    // A browser that comes back from the background may have lost its database for a moment, but none of its data.
    return await open(userId, options).catch(() => open(userId, options));
  } catch (error) {
    // A full device has no broken database: its data is read the next time.
    if (error instanceof DOMException && error.name === "QuotaExceededError") throw error;
    await deleteDatabase(userId);
    return open(userId, options);
  }
}
