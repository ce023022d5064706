/** Storage key of the people whose data must still be removed from this device. */
const STORAGE_KEY = "cupo.leaving";

/** Storage keys that belong to the device, and are not removed with a person's data. */
const DEVICE_KEYS: ReadonlySet<string> = new Set([
  STORAGE_KEY,
  "cupo.qr-keys",
  "cupo.language",
  "cupo.theme",
  "cupo.lock",
]);

/** A person whose data is to be removed from this device. */
interface RemovedPerson {
  readonly personId: string;
  /** True if they pressed sign out, and the broker may not know of it yet. */
  readonly signsOut: boolean;
}

/** Dependencies of {@link PersonRemoval}: storage, database, push subscription and the other tabs. */
export interface PersonRemovalOptions {
  /** Shared by all tabs. */
  readonly storage: Storage;
  /** Deletes a person's database; false when a tab still holds it. */
  readonly deleteDatabase: (personId: string) => Promise<boolean>;
  /** Ends the push subscription of this browser. */
  readonly endPush: () => Promise<unknown>;
  /** Notifies the other tabs that a person has left. */
  readonly notifyTabs: (personId: string) => void;
}

function isRemovedPerson(value: unknown): value is RemovedPerson {
  const { personId, signsOut } = (value ?? {}) as Partial<Record<keyof RemovedPerson, unknown>>;
  return typeof personId === "string" && typeof signsOut === "boolean";
}

/**
 * Removes all data of a person from the device. The removal is recorded before it begins: one that a closed tab or a
 * blocked database interrupts is completed at the next start, before anything is shown.
 */
export class PersonRemoval {
  readonly #options: PersonRemovalOptions;

  constructor(options: PersonRemovalOptions) {
    this.#options = options;
  }

  /** The people whose removal is not complete. */
  get unfinished(): readonly RemovedPerson[] {
    try {
      const kept: unknown = JSON.parse(this.#options.storage.getItem(STORAGE_KEY) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isRemovedPerson) : [];
    } catch {
      return [];
    }
  }

  /** Records that a person's data is to be removed, before anything else happens. */
  begin(personId: string, signsOut = false): void {
    this.#keep([...this.#others(personId), { personId, signsOut }]);
  }

  /** Deletes the record of a removal. */
  cancel(personId: string): void {
    this.#keep(this.#others(personId));
  }

  /** Removes every item from the storage that does not belong to the device, at once. */
  clear(): void {
    const { storage } = this.#options;
    for (const key of Object.keys(storage)) if (!DEVICE_KEYS.has(key)) storage.removeItem(key);
  }

  /** Removes the data of a person, here and in the other tabs; a removal that fails now stays recorded. */
  async wipe(personId: string): Promise<void> {
    const { deleteDatabase, endPush, notifyTabs } = this.#options;
    notifyTabs(personId);
    // A browser without push has nothing to end.
    await endPush().catch(() => undefined);
    // The part of the app that deletes may fail to be fetched now; the next start tries again.
    if (await deleteDatabase(personId).catch(() => false)) this.cancel(personId);
  }

  #others(personId: string): readonly RemovedPerson[] {
    return this.unfinished.filter((leaver) => leaver.personId !== personId);
  }

  #keep(leavers: readonly RemovedPerson[]): void {
    const { storage } = this.#options;
    if (leavers.length === 0) storage.removeItem(STORAGE_KEY);
    else storage.setItem(STORAGE_KEY, JSON.stringify(leavers));
  }
}
