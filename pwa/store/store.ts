import type { Me, Movement } from "../../src/contract/broker/broker.ts";
import { isSameMap, type NicknameMap } from "../contacts/name-movements.ts";
import type { Api } from "../platform/api.ts";
import { own } from "../platform/own.ts";
import { problemOf, type ShownProblem } from "../platform/problem.ts";
import { whenIdle, yieldToBrowser } from "../platform/yield.ts";
import type { Draft } from "./draft.ts";
import type { PendingApproval } from "./pending-approval.ts";
import type { PersonData, StoreTrouble } from "./person-data.ts";
import { type ListName, mustHide } from "./record-store.ts";
import type { SyncOptions } from "./sync-list.ts";

/** The part of the session that the store uses: the signed-in person, as far as known. */
interface StorePerson extends EventTarget {
  readonly me: Me | undefined;
  /** Id of the person whose data may be shown; undefined while nobody is signed in, or it is not yet known who. */
  readonly personId: string | undefined;
  refresh(): Promise<Me>;
  /** Takes the person as last known, until the broker has answered. */
  remember(me: Me): void;
}

/** Dependencies of {@link Store}. */
export interface StoreOptions {
  readonly api: Pick<Api, "myHistory" | "myTransfers">;
  readonly session: StorePerson;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** The browser's locks, by which two tabs do not read the same list at once; undefined where it has none. */
  readonly locks: LockManager | undefined;
  /** Called for a payment that was made after the first full sync: from then on the data is worth persisting. */
  readonly onPayment: () => void;
}

/** Which movements are wanted; without a limit all of them. */
interface MovementQuery {
  readonly direction?: Movement["direction"];
  readonly limit?: number;
}

const SETTLED: ReadonlySet<Movement["status"]> = new Set(["approved", "pending", "reversed"]);

/**
 * Replica of the signed-in person's data on this device: person, quota, movements, drafts, and approvals of unknown
 * outcome. Pages show it at once, also without a connection, and ask for {@link sync}. Dispatches `change`, and
 * `trouble` when the device keeps nothing for now.
 */
export class Store extends EventTarget {
  readonly #options: StoreOptions;
  #personId: string | undefined;
  #data: PersonData | undefined;
  #opening: Promise<void> = Promise.resolve();
  #sync: Promise<void> | undefined;
  /** True while the lists are being read: a sync that is asked for now may be about newer data. */
  #reading = false;
  #problem: ShownProblem | undefined;
  #trouble: StoreTrouble | undefined;

  constructor(options: StoreOptions) {
    super();
    this.#options = options;
    options.session.addEventListener("change", () => this.#personChanged());
  }

  /** Opens the kept data of the person signed in here, as far as known without a request. */
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
    return this.#data?.metadata.asOf;
  }

  /** True if the movements are kept and not shown, until the broker answers: see {@link mustHide}. */
  get isHidden(): boolean {
    return mustHide(this.#data?.metadata ?? {}, this.#options.now());
  }

  /** True once the kept movements can be shown: they are open and not hidden, and the broker has answered before. */
  get isLoaded(): boolean {
    return this.#data?.metadata.positions.history !== undefined && !this.isHidden;
  }

  /** True once every movement has been read; until then the older ones are still to come. */
  get isComplete(): boolean {
    return this.isLoaded && this.#data?.metadata.positions.history?.whole === true;
  }

  /** Another number once {@link movements} may return others; undefined while there are none to show. */
  get revision(): number | undefined {
    return this.isLoaded ? this.#data?.revision : undefined;
  }

  /** True while a sync is under way. */
  get syncing(): boolean {
    return this.#sync !== undefined;
  }

  /** Why the last sync failed; undefined once one has succeeded. */
  get problem(): ShownProblem | undefined {
    return this.#problem;
  }

  /** Why nothing is kept on this device for now. */
  get trouble(): StoreTrouble | undefined {
    return this.#trouble;
  }

  /** Codes that were scanned without a connection and wait for the person, latest first. */
  get drafts(): readonly Draft[] {
    return [...(this.#data?.drafts ?? [])].sort((one, other) => other.savedAt.localeCompare(one.savedAt));
  }

  /** Approvals that may have been paid: their outcome is not known yet. */
  get pendingApprovals(): readonly PendingApproval[] {
    return this.#data?.metadata.pendingApprovals ?? [];
  }

  /** The person's nicknames for others, by user id. */
  get nicknames(): NicknameMap {
    return this.#data?.metadata.nicknames ?? new Map();
  }

  /** Keeps all nicknames of the person. */
  async keepNicknames(nicknames: NicknameMap): Promise<void> {
    if (!isSameMap(nicknames, this.nicknames)) await this.#data?.write({ nicknames });
  }

  /** One movement, where it is known here and not hidden. */
  async movement(id: string): Promise<Movement | undefined> {
    await this.#opening;
    return this.isHidden ? undefined : this.#data?.movement(id);
  }

  /** The movements known here, newest first; none while they are hidden. */
  async movements({ direction, limit }: MovementQuery = {}): Promise<readonly Movement[]> {
    await this.#opening;
    if (this.#data === undefined || this.isHidden) return [];
    if (limit !== undefined) return this.#data.latest({ count: limit, ...(direction && { direction }) });
    const all = await this.#data.all();
    return direction === undefined ? all : all.filter((movement) => movement.direction === direction);
  }

  /** Keeps a draft; a code that waits already is not kept twice. Resolves to false while nobody's data is open. */
  async keepDraft(draft: Draft): Promise<boolean> {
    await this.#opening;
    if (this.#data === undefined) return false;
    await this.#data.write({ draft });
    return true;
  }

  /** Forgets a draft that was paid or thrown away. */
  async dropDraft(id: string): Promise<void> {
    await this.#opening;
    if (this.#data?.drafts.some((draft) => draft.id === id)) await this.#data.write({ droppedDraft: id });
  }

  /** Keeps an approval before its confirmation is sent. */
  async keepPendingApproval(sent: PendingApproval): Promise<void> {
    await this.#opening;
    const others = this.pendingApprovals.filter(({ attempt }) => attempt.key !== sent.attempt.key);
    await this.#data?.write({ pendingApprovals: [...others, sent] });
  }

  /** Forgets the approval with that attempt's key, whose outcome is known. */
  async dropPendingApproval(key: string): Promise<void> {
    await this.#opening;
    const left = this.pendingApprovals.filter(({ attempt }) => attempt.key !== key);
    if (left.length < this.pendingApprovals.length) await this.#data?.write({ pendingApprovals: left });
  }

  /**
   * Asks the broker for what is new: the person, then each list. Never fails, see {@link problem}. Called while the
   * lists are being read, it reads them once more, because the call may be about newer data.
   */
  sync(): Promise<void> {
    if (this.#sync !== undefined) return this.#reading ? this.#sync.then(() => this.sync()) : this.#sync;
    this.#sync = this.#syncAll()
      .then(() => undefined, problemOf)
      .then(async (problem) => {
        if (problem !== undefined) await this.#unanswered();
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
    // Yields, so that the browser paints first.
    await yieldToBrowser();
    await session.refresh();
    await this.#opened();
    const data = this.#data;
    if (data === undefined) return;
    const asOf = new Date(now()).toISOString();
    await this.#alone(async () => {
      this.#reading = true;
      const ends = await Promise.allSettled((["history", "transfers"] as const).map((list) => this.#read(data, list)));
      const failed = ends.find((end) => end.status === "rejected");
      if (failed !== undefined) throw failed.reason;
      await data.write({ asOf, seenAt: asOf });
    });
  }

  /** Waits for the kept data, and opens it anew where that failed: a script that did not load may load now. */
  async #opened(): Promise<void> {
    const opening = this.#opening;
    await opening.catch(() => {
      if (this.#opening === opening) this.#opening = this.#open(this.#personId);
    });
    await this.#opening;
  }

  /** Records how late it is, so that a clock that is turned back later does not show what was hidden. */
  async #unanswered(): Promise<void> {
    // Without the kept data there is nothing to hide.
    await this.#opening.catch(() => undefined);
    const { asOf, seenAt = asOf } = this.#data?.metadata ?? {};
    const now = new Date(this.#options.now()).toISOString();
    if (seenAt !== undefined && seenAt < now) await this.#data?.write({ seenAt: now });
  }

  async #alone(read: () => Promise<void>): Promise<void> {
    const { locks } = this.#options;
    await (locks === undefined ? read() : locks.request(`cupo.sync.${this.#personId}`, read));
  }

  #read(data: PersonData, list: ListName): Promise<void> {
    const { api } = this.#options;
    const ask: SyncOptions["ask"] = async (query) => {
      const answer = await (list === "history"
        ? api.myHistory({ query: { ...query, direction: "all" } })
        : api.myTransfers({ query }));
      // Another person may have signed in meanwhile, and the answer may be theirs.
      if (this.#data !== data) throw new DOMException("another person is signed in", "AbortError");
      return answer;
    };
    return data.sync(list, { ask, whenIdle }, (movements, wasWhole) => this.#came(data, movements, wasWhole));
  }

  /** Deletes the drafts whose codes have been paid, on whatever device. */
  async #came(data: PersonData, movements: readonly Movement[], wasWhole: boolean): Promise<void> {
    const sent = movements.filter(({ direction, status }) => direction === "sent" && SETTLED.has(status));
    const paid = new Set(sent.map(({ reference }) => reference));
    for (const { id, reference } of data.drafts)
      if (reference !== undefined && paid.has(reference)) await data.write({ droppedDraft: id });
    if (wasWhole && sent.length > 0) this.#options.onPayment();
  }

  #personChanged(): void {
    const { me, personId } = this.#options.session;
    if (personId !== this.#personId) this.#opening = this.#open(personId);
    else if (me !== undefined && me !== this.#data?.metadata.me) own(this.#data?.write({ me }));
  }

  async #open(personId: string | undefined): Promise<void> {
    this.#personId = personId;
    this.#data?.close();
    this.#data = undefined;
    this.#trouble = undefined;
    this.#changed();
    if (personId === undefined) return;
    // Not needed for the first paint: fetched in parallel.
    const { PersonData } = await import("./person-data.ts");
    const data = await PersonData.open(personId, {
      onChange: () => this.#changed(),
      onTrouble: (trouble) => this.#inTrouble(trouble),
    });
    if (this.#personId !== personId) return data.close();
    this.#data = data;
    const { session } = this.#options;
    // The opening need not wait for this write.
    if (session.me !== undefined) own(data.write({ me: session.me }));
    else if (data.metadata.me !== undefined) session.remember(data.metadata.me);
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
