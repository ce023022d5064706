import { Me, Movement } from "../../src/contract/broker/broker-answers.ts";
import { fits } from "../../src/contract/shared/validate.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { type Draft, isDraft, isWaiting } from "./draft.ts";
import { isPendingApproval } from "./pending-approval.ts";
import type { Latest, ListName, Metadata, RecordChange, RecordStore, SyncPosition } from "./record-store.ts";

const LISTS: readonly ListName[] = ["history", "transfers"];

/** Upper bound of a compound key's last part: IndexedDB sorts an array after any text. */
const LAST: readonly unknown[] = [];

function positionKey(list: ListName): string {
  return `place.${list}`;
}

function isSyncPosition(value: unknown): value is SyncPosition {
  const { token, cursor, whole } = Object(value) as Record<string, unknown>;
  const areTexts = [token, cursor].every((text) => text === undefined || typeof text === "string");
  return typeof whole === "boolean" && areTexts;
}

/**
 * Keeps a person's data in their database. A record that is damaged is left out, and the lists are read anew from the
 * broker, which has them all.
 */
export class DatabaseRecordStore implements RecordStore {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async metadata(): Promise<Metadata> {
    const keys = ["me", "asOf", "seenAt", "nicknames", "sent", ...LISTS.map(positionKey)];
    const [me, asOf, seenAt, nicknames, sent, ...positions] = await this.#connection.read("facts", (store) =>
      Promise.all(keys.map((key) => store.get(key))),
    );
    const known = LISTS.map((list, index) => [list, positions[index]] as const).filter(([, position]) =>
      isSyncPosition(position),
    );
    return {
      ...(fits(Me, me) && { me }),
      ...(typeof asOf === "string" && { asOf }),
      ...(typeof seenAt === "string" && { seenAt }),
      ...(nicknames instanceof Map && { nicknames }),
      pendingApprovals: Array.isArray(sent) ? sent.filter(isPendingApproval) : [],
      positions: Object.fromEntries(known),
    };
  }

  async movement(id: string): Promise<Movement | undefined> {
    const kept = await this.#connection.read("movements", (store) => store.get(id));
    return (await this.#sound([kept]))[0];
  }

  async latest({ count, direction }: Latest): Promise<readonly Movement[]> {
    const range = direction && IDBKeyRange.bound([direction], [direction, LAST]);
    const found = await this.#connection.read("movements", async (store) => {
      const index = store.index(direction === undefined ? "time" : "direction");
      const newest: Movement[] = [];
      let cursor = await index.openCursor(range, "prev");
      while (cursor !== null && newest.length < count) {
        newest.push(cursor.value);
        cursor = await cursor.continue();
      }
      return newest;
    });
    return this.#sound(found);
  }

  async all(): Promise<readonly Movement[]> {
    const oldestFirst = await this.#connection.read("movements", (store) => store.index("time").getAll());
    return this.#sound(oldestFirst.reverse());
  }

  async drafts(): Promise<readonly Draft[]> {
    return (await this.#connection.read("drafts", (store) => store.getAll())).filter(isDraft);
  }

  async write(change: RecordChange): Promise<void> {
    const { movements = [], position, draft, droppedDraft, pendingApprovals, ...named } = change;
    await this.#connection.write((transaction) => {
      const facts = transaction.objectStore("facts");
      const drafts = transaction.objectStore("drafts");
      const kept = transaction.objectStore("movements");
      const writes: Promise<unknown>[] = movements.map((movement) => kept.put(movement));
      for (const [name, fact] of Object.entries(named)) writes.push(facts.put(fact, name));
      if (pendingApprovals !== undefined) writes.push(facts.put(pendingApprovals, "sent"));
      if (position !== undefined) {
        const key = positionKey(position.list);
        writes.push(position.at === undefined ? facts.delete(key) : facts.put(position.at, key));
      }
      const keep = async (scanned: Draft): Promise<void> => {
        if (!isWaiting(scanned, await drafts.getAll())) await drafts.put(scanned);
      };
      if (draft !== undefined) writes.push(keep(draft));
      if (droppedDraft !== undefined) writes.push(drafts.delete(droppedDraft));
      return Promise.all(writes);
    });
  }

  close(): void {
    this.#connection.close();
  }

  /** Returns the valid movements; if any is damaged, the lists are read anew. */
  async #sound(found: readonly (Movement | undefined)[]): Promise<readonly Movement[]> {
    const present = found.filter((movement) => movement !== undefined);
    const sound = present.filter((movement) => fits(Movement, movement));
    if (sound.length < present.length) {
      for (const list of LISTS) await this.write({ position: { list, at: undefined } });
    }
    return sound;
  }
}
