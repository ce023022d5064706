import { NoAnswerError } from "../../src/client.ts";
import type { Me } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { Api } from "../platform/api.ts";
import { own } from "../platform/own.ts";
import type { PersonRemoval } from "./person-removal.ts";

/** Storage key of how the person signed in: `passkey` or `demo`. */
const SIGNED_IN = "cupo.signed-in";
/** Storage key of the person that the broker last named: their data may be shown before its next answer. */
const PERSON = "cupo.person";
/** Storage key of the id of the passkey that unlocks the app; it is no secret, and of no use without the device. */
const PASSKEY = "cupo.passkey";
const MASKED = "cupo.masked";

/** Dependencies of {@link Session}. */
export interface SessionOptions {
  readonly api: Pick<Api, "me" | "signOut">;
  readonly storage: Storage;
  /** Removes the data of a person who leaves this device. */
  readonly removal: PersonRemoval;
}

/** The signed-in person as last known, shared by all pages. Dispatches `change`. */
export class Session extends EventTarget {
  readonly #api: SessionOptions["api"];
  readonly #storage: Storage;
  readonly #removal: PersonRemoval;
  #me: Me | undefined;
  /** Number of changes of person: an answer that was in flight across one is about somebody else. */
  #turns = 0;

  constructor({ api, storage, removal }: SessionOptions) {
    super();
    this.#api = api;
    this.#storage = storage;
    this.#removal = removal;
  }

  /** The person, once known. */
  get me(): Me | undefined {
    return this.#me;
  }

  /** True if this device has a signed-in person, as last known: decides the first page of a cold start. */
  get expected(): boolean {
    return this.#storage.getItem(SIGNED_IN) !== null;
  }

  /** The person whose data may be shown; undefined while nobody is signed in, or the broker has not yet named them. */
  get personId(): string | undefined {
    return this.expected ? (this.#storage.getItem(PERSON) ?? undefined) : undefined;
  }

  /** The person that this tab shows, even if another tab has stored another one since. */
  get shownId(): string | undefined {
    return this.#me?.id ?? this.personId;
  }

  /** True if the signed-in person has a passkey, which the people of the demo have not. */
  get hasPasskey(): boolean {
    return this.#storage.getItem(SIGNED_IN) === "passkey";
  }

  /** Id of the passkey that was last used or created on this device, if known. */
  get passkeyId(): string | undefined {
    return this.#storage.getItem(PASSKEY) ?? undefined;
  }

  /**
   * Records a sign-in, by passkey if its id is given, before any other request. Until the broker has named the person,
   * nobody's data is shown; the previous person's data is removed, unless it is the same person.
   */
  expect(passkeyId?: string): void {
    const before = this.#storage.getItem(PERSON);
    if (before !== null) this.#removal.begin(before);
    // A pending sign-out was of an earlier session, and must not end this one.
    for (const { personId } of this.#removal.unfinished) this.#removal.begin(personId);
    this.#storage.removeItem(PERSON);
    this.#storage.setItem(SIGNED_IN, passkeyId === undefined ? "demo" : "passkey");
    if (passkeyId !== undefined) this.#storage.setItem(PASSKEY, passkeyId);
    this.#me = undefined;
    this.#turns++;
    this.#changed();
  }

  /** Handles another person's sign-in in this browser: the shown person leaves, unless another tab has handled it. */
  replaced(): void {
    const shown = this.shownId;
    if (shown !== undefined && shown === this.#storage.getItem(PERSON)) this.expect();
  }

  /** True if amounts are hidden; read before the first paint, so that a hidden amount is never seen. */
  get masked(): boolean {
    return this.#storage.getItem(MASKED) !== null;
  }

  /** Hides or shows the amounts, now and on the next start. */
  set masked(masked: boolean) {
    if (masked) this.#storage.setItem(MASKED, "1");
    else this.#storage.removeItem(MASKED);
    this.#changed();
  }

  /** Asks the broker who is signed in and what the quota is. */
  async refresh(): Promise<Me> {
    const turn = this.#turns;
    const { body } = await this.#api.me({});
    if (turn !== this.#turns) throw new NoAnswerError("whoever was signed in has left");
    const before = this.#storage.getItem(PERSON);
    if (before !== null && before !== body.id) this.#leave(before);
    const { unfinished } = this.#removal;
    const left = unfinished.filter(({ personId }) => personId !== body.id);
    // A sign-out in progress in another tab continues.
    if (!unfinished.some(({ personId, signsOut }) => personId === body.id && signsOut)) this.#removal.cancel(body.id);
    this.#storage.setItem(SIGNED_IN, body.demo ? "demo" : "passkey");
    this.#storage.setItem(PERSON, body.id);
    this.#me = body;
    this.#changed();
    // Each person's data is in a separate database, so nothing waits for its deletion.
    for (const { personId } of left) own(this.#removal.wipe(personId));
    return body;
  }

  /** Shows the person as last known on this device, until the broker has answered. */
  remember(me: Me): void {
    if (this.#me !== undefined || me.id !== this.personId) return;
    this.#me = me;
    this.#changed();
  }

  /** Ends the session at the broker, and removes all data of the person from this device. */
  async signOut(): Promise<void> {
    const { personId } = this;
    if (personId !== undefined) this.#removal.begin(personId, true);
    try {
      await this.#end();
    } catch (error) {
      if (personId !== undefined) this.#removal.cancel(personId);
      throw error;
    }
    await this.forget();
  }

  /** Removes all data of the person from this device: the storage keys at once, then their database. */
  async forget(): Promise<void> {
    const personId = this.#storage.getItem(PERSON);
    this.#leave(personId);
    if (personId !== null) await this.#removal.wipe(personId);
  }

  /** Completes removals that were interrupted when the app was closed; called before anything is shown. */
  async finishLeaving(): Promise<void> {
    for (const { personId, signsOut } of this.#removal.unfinished) {
      if (this.#storage.getItem(PERSON) === personId) this.#leave(personId, signsOut);
      const hasEnded = !signsOut || (await this.#hasEnded(personId));
      await this.#removal.wipe(personId);
      // Without a connection the session itself is ended at the next start.
      if (!hasEnded) this.#removal.begin(personId, true);
    }
  }

  async #hasEnded(personId: string): Promise<boolean> {
    try {
      const { body } = await this.#api.me({});
      if (body.id === personId) await this.#end();
      return true;
    } catch (error) {
      return error instanceof ApiError && error.code === "unauthorized";
    }
  }

  async #end(): Promise<void> {
    try {
      await this.#api.signOut({});
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "unauthorized") throw error;
    }
  }

  #leave(personId: string | null, signsOut = false): void {
    if (personId !== null) this.#removal.begin(personId, signsOut);
    this.#me = undefined;
    this.#turns++;
    this.#removal.clear();
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}
