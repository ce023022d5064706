import { deleteDatabase, type OpenOptions, openDatabase } from "./database.ts";
import { DatabaseShelf } from "./database-shelf.ts";
import type { Shelf } from "./shelf.ts";

async function open(userId: string, options: OpenOptions): Promise<Shelf> {
  const database = await openDatabase(userId, options);
  const shelf = new DatabaseShelf(database);
  try {
    // One that opens and cannot be read is broken too.
    await Promise.all([shelf.facts(), shelf.latest({ count: 1 }), shelf.drafts()]);
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
export async function openShelf(userId: string, options: OpenOptions): Promise<Shelf> {
  try {
    return await open(userId, options);
  } catch {
    await deleteDatabase(userId);
    return open(userId, options);
  }
}
