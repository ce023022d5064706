import type { PasskeyFault } from "../../passkey/passkey-fault.ts";
import type { PasskeyRefusal } from "../../passkey/refused-passkey.ts";
import type { Sentence } from "../words.ts";

/** Texts for a passkey request and for the locked app. */
export interface EntryWords {
  /** Why there is no passkey, or why the broker refuses it, and what to do. */
  readonly passkey: Readonly<Record<PasskeyFault | PasskeyRefusal, Sentence>>;
  readonly lock: Readonly<Record<"title" | "text" | "demo" | "open", string>>;
}
