import { NoAnswerError } from "../src/client.ts";
import type { Me } from "../src/contract/broker.ts";
import { ApiError } from "../src/contract/errors.ts";
import type { Api } from "./api.ts";
import type { Leaving } from "./store/leaving.ts";

/** What the session remembers between visits: how somebody was signed in, and whether amounts are hidden. */
const SIGNED_IN = "cupo.signed-in";
/** Who it was, as the broker last said: whose data may be shown before it has been asked again. */
const PERSON = "cupo.person";
/** The id of the passkey that is asked for to unlock the app; it is no secret, and of no use without the device. */
const PASSKEY = "cupo.passkey";
const MASKED = "cupo.masked";

/** What the session is made of. */
export interface SessionOptions {
  readonly api: Pick<Api, "me" | "signOut">;
  readonly storage: Storage;
  /** Removes the data of whoever leaves. */
  readonly leaving: Leaving;
}

/** The signed-in person as last known, shared by all pages. Dispatches `change`. */
export class Session extends EventTarget {
  readonly #api: SessionOptions["api"];
  readonly #storage: Storage;
  readonly #leaving: Leaving;
  #me: Me | undefined;
  /** Who came and went here: an answer that was on its way meanwhile is about somebody else. */
  #turns = 0;

  constructor({ api, storage, leaving }: SessionOptions) {
    super();
    this.#api = api;
    this.#storage = storage;
    this.#leaving = leaving;
  }

  /** The person, once known. */
  get me(): Me | undefined {
    return this.#me;
  }

  /** Whether somebody was signed in on this device when the app was last open: decides what a cold start shows. */
  get expected(): boolean {
    return this.#storage.getItem(SIGNED_IN) !== null;
  }

  /** Whose data may be shown; undefined while nobody is signed in, or somebody is and it is not yet known who. */
  get personId(): string | undefined {
    return this.expected ? (this.#storage.getItem(PERSON) ?? undefined) : undefined;
  }

  /** The person that this tab shows: the one shown so far, before one that another tab may have written down since. */
  get shownId(): string | undefined {
    return this.#me?.id ?? this.personId;
  }

  /** Whether whoever is signed in has a passkey, which the people of the demo have not. */
  get hasPasskey(): boolean {
    return this.#storage.getItem(SIGNED_IN) === "passkey";
  }

  /** The passkey that was shown or made last on this device, where it is known. */
  get passkeyId(): string | undefined {
    return this.#storage.getItem(PASSKEY) ?? undefined;
  }

  /**
   * Notes that somebody has been let in, by a passkey where its id is given, before anything is asked for. Until the
   * broker has said who, nobody's data is shown; whoever was here before leaves, unless it is the same person.
   */
  expect(passkeyId?: string): void {
    const before = this.#storage.getItem(PERSON);
    if (before !== null) this.#leaving.begin(before);
    // The session that somebody was signing out of is not this one.
    for (const { personId } of this.#leaving.unfinished) this.#leaving.begin(personId);
    this.#storage.removeItem(PERSON);
    this.#storage.setItem(SIGNED_IN, passkeyId === undefined ? "demo" : "passkey");
    if (passkeyId !== undefined) this.#storage.setItem(PASSKEY, passkeyId);
    this.#me = undefined;
    this.#turns++;
    this.#changed();
  }

  /** Somebody else is signed in in this browser by now: whom this tab shows leaves, unless another tab saw to that. */
  replaced(): void {
    const shown = this.shownId;
    if (shown !== undefined && shown === this.#storage.getItem(PERSON)) this.expect();
  }

  /** Whether amounts are hidden; read before the first paint, so that a hidden amount is never seen. */
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
    const { unfinished } = this.#leaving;
    const left = unfinished.filter(({ personId }) => personId !== body.id);
    // Who is signing out in another tab goes on leaving.
    if (!unfinished.some(({ personId, signsOut }) => personId === body.id && signsOut)) this.#leaving.cancel(body.id);
    this.#storage.setItem(SIGNED_IN, body.demo ? "demo" : "passkey");
    this.#storage.setItem(PERSON, body.id);
    this.#me = body;
    this.#changed();
    // Their data is in a database of their own, so that nobody has to wait until it is gone.
    for (const { personId } of left) void this.#leaving.wipe(personId);
    return body;
  }

  /** Shows the person as last known on this device, until the broker has answered. */
  remember(me: Me): void {
    if (this.#me !== undefined || me.id !== this.personId) return;
    this.#me = me;
    this.#changed();
  }

  /** Ends the session at the broker, and leaves no trace of the person on this device. */
  async signOut(): Promise<void> {
    const { personId } = this;
    if (personId !== undefined) this.#leaving.begin(personId, true);
    try {
      await this.#end();
    } catch (error) {
      if (personId !== undefined) this.#leaving.cancel(personId);
      throw error;
    }
    await this.forget();
  }

  /** Leaves no trace of the person on this device: the small things at once, then their data. */
  async forget(): Promise<void> {
    const personId = this.#storage.getItem(PERSON);
    this.#leave(personId);
    if (personId !== null) await this.#leaving.wipe(personId);
  }

  /** Lets those leave who had begun to when the app was closed; called before anything is shown. */
  async finishLeaving(): Promise<void> {
    for (const { personId, signsOut } of this.#leaving.unfinished) {
      if (this.#storage.getItem(PERSON) === personId) this.#leave(personId, signsOut);
      const hasEnded = !signsOut || (await this.#hasEnded(personId));
      await this.#leaving.wipe(personId);
      // Without a connection the session itself is ended at the next start.
      if (!hasEnded) this.#leaving.begin(personId, true);
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
    if (personId !== null) this.#leaving.begin(personId, signsOut);
    this.#me = undefined;
    this.#turns++;
    this.#leaving.clear();
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}
