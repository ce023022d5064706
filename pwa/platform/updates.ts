import { Workbox } from "workbox-window";
import { scriptUrlPolicy } from "./trusted-types.ts";

const HOUR_MS = 3_600_000;

/**
 * Registers the service worker, and checks for newer versions hourly and on return to the app. Dispatches `waiting`
 * when one is ready; it takes over only when the person accepts, and then the app reloads.
 */
export class Updates extends EventTarget {
  readonly #workbox: Workbox | undefined;

  constructor() {
    super();
    if (!("serviceWorker" in navigator)) return;
    // A Trusted Types URL, whose type this package's types take from elsewhere.
    this.#workbox = new Workbox(scriptUrlPolicy().createScriptURL("/sw.js"));
  }

  /** Registers the service worker, after the first page so that it does not compete with it. */
  async start(): Promise<void> {
    if (this.#workbox === undefined) return;
    const workbox = this.#workbox;
    workbox.addEventListener("waiting", () => this.dispatchEvent(new Event("waiting")));
    const registration = await workbox.register();
    if (registration === undefined) return;
    const check = (): void => {
      // Offline, the check would fail; the next hour or return checks again.
      if (navigator.onLine && !document.hidden) registration.update().catch(() => undefined);
    };
    setInterval(check, HOUR_MS);
    document.addEventListener("visibilitychange", check);
  }

  /** Lets the waiting version take over. */
  accept(): void {
    this.#workbox?.addEventListener("controlling", () => location.reload());
    this.#workbox?.messageSkipWaiting();
  }
}
