import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { isSameMap, type NamedMovement, type NicknameMap, nameMovements } from "../contacts/name-movements.ts";
import { own } from "../platform/own.ts";
import type { Store } from "../store/store.ts";

/** Enough for the first screen; the others follow once it is painted. */
const FIRST = 30;
/** How many of the latest payers a list that has not all movements takes names from. */
const PAYERS = 100;

/**
 * Selection of the movements that a page shows: by direction, by status, and only so many of the newest. An absent
 * property selects all.
 */
export interface Shown {
  readonly direction?: Movement["direction"];
  /** Only those of these states. */
  readonly statuses?: ReadonlySet<Movement["status"]>;
  /** Only so many of the newest. */
  readonly limit?: number;
  /** All since this moment, as Unix milliseconds, even if they are more than `limit`. */
  readonly since?: () => number;
}

function isSame(one: readonly Movement[] | undefined, other: readonly Movement[]): boolean {
  return one?.length === other.length && other.every((movement, index) => movement === one[index]);
}

/**
 * Controller that reads a page's movements from the replica on this device, at once and again whenever the replica
 * changes, and then updates the host; their counterparties are named as the person knows them by now, and a filter
 * finds both name and nickname. Starts a sync with the broker when the host is connected.
 */
export class KnownMovements implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #store: Store;
  readonly #shown: Shown;
  readonly #changed = (): void => own(this.#read());
  /** The movements as they are kept, and those that the page shows. */
  #kept: readonly Movement[] | undefined;
  #movements: readonly NamedMovement[] | undefined;
  #nicknames: NicknameMap = new Map();
  #reading = false;
  #stale = false;

  constructor(host: ReactiveControllerHost, store: Store, shown: Shown = {}) {
    this.#host = host;
    this.#store = store;
    this.#shown = shown;
    host.addController(this);
  }

  /** Newest first; undefined until anything is known. */
  get movements(): readonly NamedMovement[] | undefined {
    return this.#movements;
  }

  hostConnected(): void {
    this.#store.addEventListener("change", this.#changed);
    own(this.#read());
    own(this.#store.sync());
  }

  hostDisconnected(): void {
    this.#store.removeEventListener("change", this.#changed);
  }

  /** Reads the movements, one read at a time, and once more if anything changed meanwhile. */
  async #read(): Promise<void> {
    this.#stale = true;
    this.#host.requestUpdate();
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#stale) {
        this.#stale = false;
        await this.#readOnce();
        this.#host.requestUpdate();
      }
    } finally {
      this.#reading = false;
    }
  }

  async #readOnce(): Promise<void> {
    if (!this.#store.isLoaded) {
      this.#kept = undefined;
      this.#movements = undefined;
      return;
    }
    if (this.#movements === undefined && this.#shown.limit === undefined) {
      await this.#take({ limit: FIRST });
      this.#host.requestUpdate();
      await new Promise(requestAnimationFrame);
    }
    await this.#take({});
  }

  async #take(wanted: { readonly limit?: number }): Promise<void> {
    const { direction, since, statuses } = this.#shown;
    let { limit } = { ...this.#shown, ...wanted };
    const read = () => this.#store.movements({ ...(direction && { direction }), ...(limit && { limit }) });
    let found = await read();
    while (since && limit && found.length === limit && Date.parse(found.at(-1)?.created_at ?? "") >= since()) {
      limit *= 4;
      found = await read();
    }
    const kept = statuses === undefined ? found : found.filter(({ status }) => statuses.has(status));
    const { nicknames } = this.#store;
    if (isSame(this.#kept, kept) && isSameMap(this.#nicknames, nicknames)) return;
    const hasAll = direction === undefined && limit === undefined;
    const payers = hasAll ? [] : await this.#store.movements({ direction: "received", limit: PAYERS });
    this.#movements = nameMovements(kept, nicknames, payers);
    [this.#kept, this.#nicknames] = [kept, nicknames];
  }
}
