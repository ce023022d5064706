import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Movement } from "../../src/contract/broker/broker.ts";
import type { AppContext } from "../context/app-context.ts";

type Names = ReadonlyMap<string, string>;
type Context = Pick<AppContext, "api" | "session">;

/** The last answer in this tab, and the person whose it is, so that the next page shows it at once. */
let last: { readonly personId: string | undefined; readonly names: Names } = { personId: undefined, names: new Map() };

/** Dispatches `change` when the nicknames are known anew, to every page and section that shows them. */
const changes = new EventTarget();

/**
 * Controller that gives a page the person's nicknames for others, by user id, and updates the host when they change.
 * The broker keeps them, for all devices of the person; they are asked for when the host is connected, and a failure is
 * no reason to stop: without them the page shows names alone.
 */
export class Nicknames implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #context: () => Context;
  readonly #changed = (): void => this.#host.requestUpdate();

  constructor(host: ReactiveControllerHost, context: () => Context) {
    this.#host = host;
    this.#context = context;
    host.addController(this);
  }

  /** All nicknames, the same object until one changes. */
  get all(): Names {
    const { session } = this.#context();
    if (last.personId !== session.shownId) last = { personId: session.shownId, names: new Map() };
    return last.names;
  }

  hostConnected(): void {
    changes.addEventListener("change", this.#changed);
    void this.#load().catch(() => undefined);
  }

  hostDisconnected(): void {
    changes.removeEventListener("change", this.#changed);
  }

  /** Gives somebody a nickname, or takes it away where the text is blank; fails as the broker's operation does. */
  async put(userId: string, text: string): Promise<void> {
    const nickname = text.trim() === "" ? null : text.trim();
    await this.#context().api.putMyNickname({ params: { user_id: userId }, body: { nickname } });
    const names = new Map(this.all);
    if (nickname === null) names.delete(userId);
    else names.set(userId, nickname);
    this.#keep(names);
  }

  async #load(): Promise<void> {
    const { api, session } = this.#context();
    const personId = session.shownId;
    const { body } = await api.myNicknames({});
    if (personId !== session.shownId) return;
    const { all } = this;
    const names = new Map(body.map(({ user_id: id, nickname }) => [id, nickname]));
    const isSame = names.size === all.size && [...names].every(([id, nickname]) => all.get(id) === nickname);
    if (!isSame) this.#keep(names);
  }

  #keep(names: Names): void {
    last = { personId: this.#context().session.shownId, names };
    changes.dispatchEvent(new Event("change"));
  }
}

/** True if money of the counterparty came to the person: the broker named them in full there. */
function isPaid({ direction, kind, status }: Movement): boolean {
  return direction === "received" && kind !== "refund" && (status === "approved" || status === "reversed");
}

/** A movement with the person's nickname for its counterparty, apart from the name: no name can be taken for both. */
export interface NamedMovement extends Movement {
  readonly nickname?: string;
}

/**
 * Names the counterparties of movements as the person knows them by now: in full from the day on which they paid the
 * person, also in earlier movements, and with the person's nickname for them beside the name, never instead of it.
 */
export function nameMovements(
  movements: readonly Movement[],
  nicknames: ReadonlyMap<string, string>,
): readonly NamedMovement[] {
  const full = new Map<string, string>();
  for (const movement of movements) {
    const { counterparty, counterparty_id: id } = movement;
    if (isPaid(movement) && !full.has(id)) full.set(id, counterparty);
  }
  return movements.map((movement) => {
    const { counterparty, counterparty_id: id } = movement;
    const [name, nickname] = [full.get(id) ?? counterparty, nicknames.get(id)];
    if (nickname !== undefined) return { ...movement, counterparty: name, nickname };
    return name === counterparty ? movement : { ...movement, counterparty: name };
  });
}
