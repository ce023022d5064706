import type { PasskeyFault } from "../../passkey/passkey-fault.ts";
import type { PasskeyRefusal } from "../../passkey/refused-passkey.ts";
import type { Sentence } from "../words.ts";

/** What is said at the app's doors: when a passkey is asked for, and when the app is locked. */
export interface EntryWords {
  /** Why no passkey came, or that the one that came opens nothing here or nothing now, and what to do. */
  readonly passkey: Readonly<Record<PasskeyFault | PasskeyRefusal, Sentence>>;
  readonly lock: Readonly<Record<"title" | "text" | "demo" | "open", string>>;
}
