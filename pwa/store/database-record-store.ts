import { Me, Movement } from "../../src/contract/broker/broker-answers.ts";
import { fits } from "../../src/contract/shared/validate.ts";
import type { PersonDatabase } from "./database.ts";
import { type Draft, isDraft } from "./draft.ts";
import { isPendingApproval } from "./pending-approval.ts";
import type { Latest, ListName, Metadata, RecordChange, RecordStore, SyncPosition } from "./record-store.ts";

const LISTS: readonly ListName[] = ["history", "transfers"];

/** Upper bound of a compound key's last part: IndexedDB sorts an array after any text. */
const LAST: readonly unknown[] = [];

function positionKey(list: ListName): string {
  return `place.${list}`;
}

function isSyncPosition(value: unknown): value is SyncPosition {
  if (typeof value !== "object" || value === null) return false;
  const { token, cursor, whole } = value as Record<string, unknown>;
  const isText = (text: unknown): boolean => text === undefined || typeof text === "string";
  return typeof whole === "boolean" && isText(token) && isText(cursor);
}

/**
 * Keeps a person's data in their database. A record that is damaged is left out, and the lists are read anew from the
 * broker, which has them all.
 */
export class DatabaseRecordStore implements RecordStore {
  readonly #database: PersonDatabase;

  constructor(database: PersonDatabase) {
    this.#database = database;
  }

  async metadata(): Promise<Metadata> {
    const store = this.#database.transaction("facts").store;
    const [me, asOf, seenAt, nicknames, sent, ...positions] = await Promise.all(
      ["me", "asOf", "seenAt", "nicknames", "sent", ...LISTS.map(positionKey)].map((key) => store.get(key)),
    );
    const known = LISTS.map((list, index) => [list, positions[index]] as const).filter(([, position]) =>
      isSyncPosition(position),
    );
    return {
      ...(fits(Me, me) ? { me } : {}),
      ...(typeof asOf === "string" ? { asOf } : {}),
      ...(typeof seenAt === "string" ? { seenAt } : {}),
      ...(nicknames instanceof Map ? { nicknames } : {}),
      pendingApprovals: Array.isArray(sent) ? sent.filter(isPendingApproval) : [],
      positions: Object.fromEntries(known),
    };
  }

  async movement(id: string): Promise<Movement | undefined> {
    return (await this.#sound([await this.#database.get("movements", id)]))[0];
  }

  async latest({ count, direction }: Latest): Promise<readonly Movement[]> {
    const store = this.#database.transaction("movements").store;
    const range = direction && IDBKeyRange.bound([direction], [direction, LAST]);
    const index = direction === undefined ? store.index("time") : store.index("direction");
    const found: Movement[] = [];
    let cursor = await index.openCursor(range, "prev");
    while (cursor !== null && found.length < count) {
      found.push(cursor.value);
      cursor = await cursor.continue();
    }
    return this.#sound(found);
  }

  async all(): Promise<readonly Movement[]> {
    const oldestFirst = await this.#database.getAllFromIndex("movements", "time");
    return this.#sound(oldestFirst.reverse());
  }

  async drafts(): Promise<readonly Draft[]> {
    return (await this.#database.getAll("drafts")).filter(isDraft);
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
    const transaction = this.#database.transaction(["movements", "facts", "drafts"], "readwrite");
    const [kept, facts, drafts] = (["movements", "facts", "drafts"] as const).map((name) =>
      transaction.objectStore(name),
    );
    const writes: (Promise<unknown> | undefined)[] = movements.map((movement) => kept?.put(movement));
    if (me !== undefined) writes.push(facts?.put(me, "me"));
    if (asOf !== undefined) writes.push(facts?.put(asOf, "asOf"));
    if (seenAt !== undefined) writes.push(facts?.put(seenAt, "seenAt"));
    if (nicknames !== undefined) writes.push(facts?.put(nicknames, "nicknames"));
    if (pendingApprovals !== undefined) writes.push(facts?.put(pendingApprovals, "sent"));
    if (position?.at !== undefined) writes.push(facts?.put(position.at, positionKey(position.list)));
    else if (position !== undefined) writes.push(facts?.delete(positionKey(position.list)));
    if (draft !== undefined) writes.push(drafts?.put(draft));
    if (droppedDraft !== undefined) writes.push(drafts?.delete(droppedDraft));
    await Promise.all([...writes, transaction.done]);
  }

  close(): void {
    this.#database.close();
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
