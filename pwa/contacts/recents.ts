import type { ReactiveControllerHost } from "lit";
import type { Movement } from "../../src/contract/broker/broker.ts";
import type { AppContext } from "../context/app-context.ts";
import { listenWhileConnected } from "../platform/listen-while-connected.ts";
import { own } from "../platform/own.ts";
import { type NamedMovement, nameMovements } from "./name-movements.ts";
import { Nicknames } from "./nicknames.ts";

/** People who are offered at once: as many as stand above a phone's keyboard and a little below. */
const MOST = 5;
/** How many of the latest movements are searched for transfers. */
const LATEST = 500;

/**
 * Returns the latest transfer to each of the people whom the person transferred to last, at most five, newest first;
 * `movements` come newest first.
 */
export function recentsIn(movements: readonly NamedMovement[]): readonly NamedMovement[] {
  const found = new Map<string, NamedMovement>();
  for (const movement of movements) {
    const { counterparty_id: id, direction, kind, status } = movement;
    if (found.size === MOST) break;
    if (kind === "transfer" && direction === "sent" && status === "approved" && !found.has(id)) found.set(id, movement);
  }
  return [...found.values()];
}

/** The person's recent transfers as this device knows them, their receivers named as the person knows them by now. */
export class Recents {
  readonly #host: ReactiveControllerHost;
  readonly #context: () => Pick<AppContext, "api" | "session" | "store">;
  readonly #nicknames: Nicknames;
  #latest: readonly Movement[] = [];
  /** Revision of the store's movements that were read. */
  #revision: number | undefined;

  constructor(host: ReactiveControllerHost, context: () => Pick<AppContext, "api" | "session" | "store">) {
    this.#host = host;
    this.#context = context;
    this.#nicknames = new Nicknames(host, context);
    // A transfer that a sync brings while the page is open is offered too.
    listenWhileConnected(
      host,
      () => context().store,
      "change",
      () => {
        if (context().store.revision !== this.#revision) own(this.read());
      },
    );
  }

  /** The transfers, newest first; none until they are read. */
  get transfers(): readonly NamedMovement[] {
    return recentsIn(nameMovements(this.#latest, this.#nicknames.all));
  }

  /** Reads them from the device, and updates the host. */
  async read(): Promise<void> {
    const { store } = this.#context();
    this.#revision = store.revision;
    this.#latest = await store.movements({ limit: LATEST });
    this.#host.requestUpdate();
  }
}
