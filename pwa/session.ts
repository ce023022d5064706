import type { Me } from "../src/contract/broker.ts";
import type { Api } from "./api.ts";

/** What the session remembers between visits: whether somebody was signed in, and whether amounts are hidden. */
const SIGNED_IN = "cupo.signed-in";
const MASKED = "cupo.masked";

/** The signed-in person as last known, shared by all pages. Dispatches `change`. */
export class Session extends EventTarget {
  readonly #api: Api;
  readonly #storage: Storage;
  #me: Me | undefined;

  constructor(api: Api, storage: Storage) {
    super();
    this.#api = api;
    this.#storage = storage;
  }

  /** The person, once known. */
  get me(): Me | undefined {
    return this.#me;
  }

  /** Whether somebody was signed in on this device when the app was last open: decides what a cold start shows. */
  get expected(): boolean {
    return this.#storage.getItem(SIGNED_IN) !== null;
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
    const { body } = await this.#api.me({});
    this.#me = body;
    this.#storage.setItem(SIGNED_IN, "1");
    this.#changed();
    return body;
  }

  /** Ends the session here and at the broker. */
  async signOut(): Promise<void> {
    await this.#api.signOut({});
    this.forget();
  }

  /** Leaves no trace of the person on this device. */
  forget(): void {
    this.#me = undefined;
    this.#storage.removeItem(SIGNED_IN);
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}
