/** Storage key of the people whose data must still be removed from this device. */
const PLACE = "cupo.leaving";

/** Storage keys that belong to the device, and are not removed with a person's data. */
const OF_THE_DEVICE: ReadonlySet<string> = new Set([PLACE, "cupo.qr-keys", "cupo.language", "cupo.theme", "cupo.lock"]);

/** A person whose data is to be removed from this device. */
interface Leaver {
  readonly personId: string;
  /** True if they pressed sign out, and the broker may not know of it yet. */
  readonly signsOut: boolean;
}

/** The parts of the browser that the removal uses. */
export interface LeavingOptions {
  /** Shared by all tabs. */
  readonly storage: Storage;
  /** Deletes a person's database; false when a tab still holds it. */
  readonly deleteDatabase: (personId: string) => Promise<boolean>;
  /** Ends the push subscription of this browser. */
  readonly endPush: () => Promise<unknown>;
  /** Notifies the other tabs that a person has left. */
  readonly tellTabs: (personId: string) => void;
}

function isLeaver(value: unknown): value is Leaver {
  const { personId, signsOut } = (value ?? {}) as Partial<Record<keyof Leaver, unknown>>;
  return typeof personId === "string" && typeof signsOut === "boolean";
}

/**
 * Removes everything of a person from the device. The removal is recorded before it begins: one that a closed tab or a
 * blocked database interrupts is completed at the next start, before anything is shown.
 */
export class Leaving {
  readonly #options: LeavingOptions;

  constructor(options: LeavingOptions) {
    this.#options = options;
  }

  /** The people whose removal is not complete. */
  get unfinished(): readonly Leaver[] {
    try {
      const kept: unknown = JSON.parse(this.#options.storage.getItem(PLACE) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isLeaver) : [];
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
    for (const key of Object.keys(storage)) if (!OF_THE_DEVICE.has(key)) storage.removeItem(key);
  }

  /** Removes the data of a person, here and in the other tabs; a removal that fails now stays recorded. */
  async wipe(personId: string): Promise<void> {
    const { deleteDatabase, endPush, tellTabs } = this.#options;
    tellTabs(personId);
    // A browser without push has nothing to end.
    await endPush().catch(() => undefined);
    // The part of the app that deletes may fail to be fetched now; the next start tries again.
    if (await deleteDatabase(personId).catch(() => false)) this.cancel(personId);
  }

  #others(personId: string): readonly Leaver[] {
    return this.unfinished.filter((leaver) => leaver.personId !== personId);
  }

  #keep(leavers: readonly Leaver[]): void {
    const { storage } = this.#options;
    if (leavers.length === 0) storage.removeItem(PLACE);
    else storage.setItem(PLACE, JSON.stringify(leavers));
  }
}
