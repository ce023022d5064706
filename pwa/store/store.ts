import type { Me, Movement } from "../../src/contract/broker.ts";
import type { Api } from "../api.ts";
import type { Draft } from "../drafts/draft.ts";
import { breath, rest } from "../pauses.ts";
import { type Problem, problemOf } from "../payment/problem.ts";
import type { Sent } from "../payment/sent.ts";
import type { Kept, StoreTrouble } from "./kept.ts";
import type { ListName } from "./shelf.ts";
import type { SyncOptions } from "./sync-list.ts";

/** Who is signed in, as far as it is known: what the store needs of the session. */
interface StorePerson extends EventTarget {
  readonly me: Me | undefined;
  /** Whose data may be shown; undefined while nobody is signed in, or it must be asked first who. */
  readonly personId: string | undefined;
  refresh(): Promise<Me>;
  /** Takes the person as last known, until the broker has answered. */
  remember(me: Me): void;
}

/** What the store is made of. */
export interface StoreOptions {
  readonly api: Pick<Api, "myHistory" | "myTransfers">;
  readonly session: StorePerson;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** The browser's locks, by which two tabs do not read the same list at once; undefined where it has none. */
  readonly locks: LockManager | undefined;
  /** Told of a payment that was made since the app was first opened here: now it is worth keeping the data for good. */
  readonly onPayment: () => void;
}

/** Which movements are wanted; without a limit all of them. */
interface Wanted {
  readonly direction?: Movement["direction"];
  readonly limit?: number;
}

const SETTLED: ReadonlySet<Movement["status"]> = new Set(["approved", "pending", "reversed"]);

/**
 * What is known of the signed-in person on this device: who they are, what they have, what moved, and what waits to be
 * confirmed. Pages show it at once, also without a connection, and ask for {@link sync}. Dispatches `change`, and
 * `trouble` when the device keeps nothing for now.
 */
export class Store extends EventTarget {
  readonly #options: StoreOptions;
  #personId: string | undefined;
  #kept: Kept | undefined;
  #opening: Promise<void> = Promise.resolve();
  #sync: Promise<void> | undefined;
  /** Whether the lists are being read, so that who asks now may ask for something newer. */
  #reading = false;
  #problem: Problem | undefined;
  #trouble: StoreTrouble | undefined;

  constructor(options: StoreOptions) {
    super();
    this.#options = options;
    options.session.addEventListener("change", () => this.#personChanged());
  }

  /** Opens what is kept of whoever is signed in here, as far as that is known without asking. */
  async start(): Promise<void> {
    this.#personChanged();
    await this.#opening;
  }

  /** The person as last known. */
  get me(): Me | undefined {
    return this.#options.session.me;
  }

  /** When the broker last confirmed the movements, as an instant; undefined before the first time. */
  get asOf(): string | undefined {
    return this.#kept?.facts.asOf;
  }

  /** Whether what is kept can be shown: it has been opened, and the broker has been asked at least once. */
  get isThere(): boolean {
    return this.#kept?.facts.places.history !== undefined;
  }

  /** Whether every movement has been read; until then the older ones are on their way. */
  get isWhole(): boolean {
    return this.#kept?.facts.places.history?.whole === true;
  }

  /** Whether the broker is being asked. */
  get syncing(): boolean {
    return this.#sync !== undefined;
  }

  /** Why the broker was last asked in vain; until it has answered again. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Why nothing is kept on this device for now. */
  get trouble(): StoreTrouble | undefined {
    return this.#trouble;
  }

  /** What was scanned without a connection and waits for the person, latest first. */
  get drafts(): readonly Draft[] {
    return [...(this.#kept?.drafts ?? [])].sort((one, other) => other.savedAt.localeCompare(one.savedAt));
  }

  /** What was approved and may have been paid: nobody knows yet. */
  get sent(): readonly Sent[] {
    return this.#kept?.facts.sent ?? [];
  }

  /** One movement, where it is known here. */
  async movement(id: string): Promise<Movement | undefined> {
    await this.#opening;
    return this.#kept?.movement(id);
  }

  /** What moved, newest first. */
  async movements({ direction, limit }: Wanted = {}): Promise<readonly Movement[]> {
    await this.#opening;
    if (this.#kept === undefined) return [];
    if (limit !== undefined) return this.#kept.latest({ count: limit, ...(direction && { direction }) });
    const all = await this.#kept.all();
    return direction === undefined ? all : all.filter((movement) => movement.direction === direction);
  }

  /** Keeps a draft; a code that waits already is not kept twice. */
  async keepDraft(draft: Draft): Promise<void> {
    await this.#opening;
    if (this.#kept?.drafts.some(({ payload }) => payload === draft.payload)) return;
    await this.#kept?.write({ draft });
  }

  /** Forgets a draft that was paid or thrown away. */
  async dropDraft(id: string): Promise<void> {
    await this.#opening;
    if (this.#kept?.drafts.some((draft) => draft.id === id)) await this.#kept.write({ droppedDraft: id });
  }

  /** Keeps what is being sent to be paid, before it is. */
  async keepSent(sent: Sent): Promise<void> {
    await this.#opening;
    const others = this.sent.filter(({ attempt }) => attempt.key !== sent.attempt.key);
    await this.#kept?.write({ sent: [...others, sent] });
  }

  /** Forgets what was sent with that attempt's key: what became of it is known. */
  async dropSent(key: string): Promise<void> {
    await this.#opening;
    const left = this.sent.filter(({ attempt }) => attempt.key !== key);
    if (left.length < this.sent.length) await this.#kept?.write({ sent: left });
  }

  /**
   * Asks the broker for what is new: the person, then each list. Never fails, see {@link problem}. Asked for while the
   * lists are being read it reads them once more, because what it was asked for may be newer.
   */
  sync(): Promise<void> {
    if (this.#sync !== undefined) return this.#reading ? this.#sync.then(() => this.sync()) : this.#sync;
    this.#sync = this.#syncAll()
      .then(
        () => undefined,
        (error: unknown) => problemOf(error),
      )
      .then((problem) => {
        this.#problem = problem;
      })
      .finally(() => {
        this.#sync = undefined;
        this.#reading = false;
        this.#changed();
      });
    this.#changed();
    return this.#sync;
  }

  async #syncAll(): Promise<void> {
    const { now, session } = this.#options;
    // What the person sees first is drawn first.
    await breath();
    await session.refresh();
    await this.#opening;
    const kept = this.#kept;
    if (kept === undefined) return;
    const asOf = new Date(now()).toISOString();
    await this.#alone(async () => {
      this.#reading = true;
      const ends = await Promise.allSettled((["history", "transfers"] as const).map((list) => this.#read(kept, list)));
      const failed = ends.find((end) => end.status === "rejected");
      if (failed !== undefined) throw failed.reason;
      await kept.write({ asOf });
    });
  }

  async #alone(read: () => Promise<void>): Promise<void> {
    const { locks } = this.#options;
    if (locks === undefined) return read();
    await locks.request(`cupo.sync.${this.#personId}`, read);
  }

  #read(kept: Kept, list: ListName): Promise<void> {
    const { api } = this.#options;
    const ask: SyncOptions["ask"] = async (query) => {
      const answer = await (list === "history"
        ? api.myHistory({ query: { ...query, direction: "all" } })
        : api.myTransfers({ query }));
      // Somebody else may have signed in meanwhile: this was the answer to them.
      if (this.#kept !== kept) throw new DOMException("another person is signed in", "AbortError");
      return answer;
    };
    return kept.sync(list, { ask, rest }, (movements, wasWhole) => this.#came(kept, movements, wasWhole));
  }

  /** A draft whose code has been paid is settled, wherever it was paid. */
  async #came(kept: Kept, movements: readonly Movement[], wasWhole: boolean): Promise<void> {
    const sent = movements.filter(({ direction, status }) => direction === "sent" && SETTLED.has(status));
    const paid = new Set(sent.map(({ reference }) => reference));
    for (const { id, reference } of kept.drafts) {
      if (reference !== undefined && paid.has(reference)) await kept.write({ droppedDraft: id });
    }
    if (wasWhole && sent.length > 0) this.#options.onPayment();
  }

  #personChanged(): void {
    const { me, personId } = this.#options.session;
    if (personId !== this.#personId) this.#opening = this.#open(personId);
    else if (me !== undefined && this.#kept !== undefined && me !== this.#kept.facts.me) void this.#kept.write({ me });
  }

  async #open(personId: string | undefined): Promise<void> {
    this.#personId = personId;
    this.#kept?.close();
    this.#kept = undefined;
    this.#trouble = undefined;
    this.#changed();
    if (personId === undefined) return;
    // Not needed for the first picture: fetched beside it.
    const { Kept } = await import("./kept.ts");
    const kept = await Kept.open(personId, {
      onChange: () => this.#changed(),
      onTrouble: (trouble) => this.#inTrouble(trouble),
    });
    if (this.#personId !== personId) return kept.close();
    this.#kept = kept;
    const { session } = this.#options;
    // Who waits for what is kept need not wait for this.
    if (session.me !== undefined) void kept.write({ me: session.me });
    else if (kept.facts.me !== undefined) session.remember(kept.facts.me);
    this.#changed();
  }

  #inTrouble(trouble: StoreTrouble): void {
    if (this.#trouble !== undefined) return;
    this.#trouble = trouble;
    this.dispatchEvent(new Event("trouble"));
  }

  #changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}
