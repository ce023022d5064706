import type { Language } from "../../src/language/languages.ts";
import type { InstallOffer } from "../install/install-offer.ts";
import type { Words } from "../language/words.ts";
import type { Lock } from "../lock/lock.ts";
import type { QrKeyStore } from "../payment/qr-key-store.ts";
import type { Api } from "../platform/api.ts";
import type { PageName } from "../platform/app-paths.ts";
import type { Router } from "../platform/router.ts";
import type { Settings } from "../settings/settings.ts";
import type { AttemptStore } from "../store/attempt-store.ts";
import type { Session } from "../store/session.ts";
import type { Store } from "../store/store.ts";

/** The app's clocks: wall clock time for display, monotonic time for durations. */
interface AppClock {
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Milliseconds since the page was opened, the time base of `Event.timeStamp`. */
  readonly elapsed: () => number;
}

/** Dependencies that all pages share, created once in `main.ts`, so that a test can supply its own. */
export interface AppContext {
  readonly api: Api;
  readonly attempts: AttemptStore;
  readonly clock: AppClock;
  readonly install: InstallOffer;
  readonly keys: QrKeyStore;
  readonly lock: Lock;
  /** A new random id, such as an idempotency key. */
  readonly newId: () => string;
  readonly router: Router;
  readonly session: Session;
  readonly settings: Settings;
  /** The person's data that this device keeps, also readable offline. */
  readonly store: Store;
  /** The person's language, for the words that a page loads by itself. */
  readonly language: Language;
  readonly words: Words;
  /** Announces a sentence to screen readers without moving the focus. */
  readonly announce: (text: string) => void;
  /** Fetches a page that is about to be opened, so that it opens at once. */
  readonly prepare: (page: PageName) => void;
  /** Leaves the welcome page for the page that the person wanted. */
  readonly signedIn: () => void;
}
