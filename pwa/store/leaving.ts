/** Whose data must go from this device, and did not yet, when the app was last open. */
const PLACE = "cupo.leaving";

/** What belongs to the device and tells nothing of a person. */
const OF_THE_DEVICE: ReadonlySet<string> = new Set([PLACE, "cupo.qr-keys", "cupo.language", "cupo.theme", "cupo.lock"]);

/** A person who leaves this device. */
interface Leaver {
  readonly personId: string;
  /** Whether they pressed sign out, and the broker may not know of it yet. */
  readonly signsOut: boolean;
}

/** What leaving needs of the browser. */
export interface LeavingOptions {
  /** Shared by all tabs. */
  readonly storage: Storage;
  /** Deletes a person's database; false when a tab still holds it. */
  readonly deleteDatabase: (personId: string) => Promise<boolean>;
  /** Ends the messages that this browser is sent for the person. */
  readonly endPush: () => Promise<unknown>;
  /** Tells the other tabs that a person has left. */
  readonly tellTabs: (personId: string) => void;
}

function isLeaver(value: unknown): value is Leaver {
  const { personId, signsOut } = (value ?? {}) as Partial<Record<keyof Leaver, unknown>>;
  return typeof personId === "string" && typeof signsOut === "boolean";
}

/**
 * Removes everything of a person from the device. It is written down before it begins: what a closed tab or a blocked
 * database interrupts is done at the next start, before anything is shown.
 */
export class Leaving {
  readonly #options: LeavingOptions;

  constructor(options: LeavingOptions) {
    this.#options = options;
  }

  /** Who should have left already. */
  get unfinished(): readonly Leaver[] {
    try {
      const kept: unknown = JSON.parse(this.#options.storage.getItem(PLACE) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isLeaver) : [];
    } catch {
      return [];
    }
  }

  /** Writes down that a person is to leave, before anything else happens. */
  begin(personId: string, signsOut = false): void {
    this.#keep([...this.#others(personId), { personId, signsOut }]);
  }

  /** They stay after all. */
  cancel(personId: string): void {
    this.#keep(this.#others(personId));
  }

  /** Clears the small things that are kept of whoever is signed in, at once. */
  clear(): void {
    const { storage } = this.#options;
    for (const key of Object.keys(storage)) if (!OF_THE_DEVICE.has(key)) storage.removeItem(key);
  }

  /** Removes the data of a person, here and in the other tabs; what cannot be removed now stays written down. */
  async wipe(personId: string): Promise<void> {
    const { deleteDatabase, endPush, tellTabs } = this.#options;
    tellTabs(personId);
    // A browser without push has nothing to end.
    await endPush().catch(() => undefined);
    // A part of the app that cannot be fetched now is there at the next start.
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
