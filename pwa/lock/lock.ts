/** Minutes of inactivity after which the app can be set to lock; 0 is never. */
export const LOCK_MINUTES = Object.freeze([0, 1, 5, 15] as const);
/** One of {@link LOCK_MINUTES}. */
export type LockMinutes = (typeof LOCK_MINUTES)[number];

const SETTING = "cupo.lock";
const LAST_ACTIVITY = "cupo.seen";

/** Stored in place of the time of the last activity: locked, whatever the clock says from now on. */
const LOCKED = "0";
const MINUTE_MS = 60_000;
/** Activity is stored for the other tabs and the next start, but no more often than this. */
const SIGN_MS = 1_000;
/** Tolerated correction of the wall clock; more than that is somebody who turns it back. */
const TURNED_BACK_MS = 60_000;

/** Dependencies of {@link Lock}: its storage, its clock, and the minutes where none were chosen. */
export interface LockOptions {
  /** Shared by all tabs: holds the setting, and when the person was last seen, and nothing else. */
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** The wall clock, which goes on while the device sleeps. */
  readonly now: () => number;
  /** The setting where none was chosen on this device. */
  readonly usual: () => LockMinutes;
}

/**
 * The app's lock. It closes once nobody has touched the app for as long as the person set, by the wall clock, in any
 * tab, and stays closed until the person opens it: turning the clock back does not. The session goes on meanwhile.
 * Dispatches `change` when it locks, unlocks or its minutes are set.
 */
export class Lock extends EventTarget {
  readonly #options: LockOptions;
  #announced = false;

  constructor(options: LockOptions) {
    super();
    this.#options = options;
    this.#announced = this.locked;
  }

  /** The minutes after which this device locks. */
  get minutes(): LockMinutes {
    const { storage, usual } = this.#options;
    const chosen = storage.getItem(SETTING);
    return LOCK_MINUTES.find((minutes) => String(minutes) === chosen) ?? usual();
  }

  /** Chooses the minutes for this device. */
  set minutes(minutes: LockMinutes) {
    this.#options.storage.setItem(SETTING, String(minutes));
    this.dispatchEvent(new Event("change"));
  }

  /** True if these minutes leave the app open for longer than now, which takes the passkey. */
  isLater(minutes: LockMinutes): boolean {
    const asTime = (chosen: LockMinutes): number => (chosen === 0 ? Number.POSITIVE_INFINITY : chosen);
    return asTime(minutes) > asTime(this.minutes);
  }

  /** True if nothing of the person may be shown now; stored once it is so. */
  get locked(): boolean {
    const { storage } = this.#options;
    const seen = storage.getItem(LAST_ACTIVITY);
    if (seen === null) return false;
    if (seen === LOCKED) return true;
    const isOver = this.#isOver(Number(seen));
    if (isOver) storage.setItem(LAST_ACTIVITY, LOCKED);
    return isOver;
  }

  /** True if the time since the person was seen is over, or makes no sense. */
  #isOver(seen: number): boolean {
    const { minutes } = this;
    if (minutes === 0) return false;
    const awayMs = this.#options.now() - seen;
    return !(awayMs < minutes * MINUTE_MS && awayMs > -TURNED_BACK_MS);
  }

  /** Records activity of the person; once the app is locked, a touch is no activity any more. */
  recordActivity(): void {
    const { storage, now } = this.#options;
    if (this.locked) {
      this.check();
      return;
    }
    if (Math.abs(now() - Number(storage.getItem(LAST_ACTIVITY))) >= SIGN_MS) this.#seen();
  }

  /** Locks at once, in every tab. */
  lockNow(): void {
    this.#options.storage.setItem(LAST_ACTIVITY, LOCKED);
    this.check();
  }

  /** Unlocks, once the person has been verified. */
  unlock(): void {
    this.#seen();
    this.check();
  }

  /** Forgets the last activity of a person whose session is over: there is nothing to lock. */
  forget(): void {
    this.#options.storage.removeItem(LAST_ACTIVITY);
    this.check();
  }

  /** Checks the clock, and dispatches `change` if it has locked or was unlocked elsewhere. */
  check(): void {
    const { locked } = this;
    if (locked === this.#announced) return;
    this.#announced = locked;
    this.dispatchEvent(new Event("change"));
  }

  #seen(): void {
    this.#options.storage.setItem(LAST_ACTIVITY, String(this.#options.now()));
  }
}
