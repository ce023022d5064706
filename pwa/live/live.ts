import { createHintStream } from "../../widgets/shared/hint-stream.ts";
import type { Platform } from "../../widgets/shared/platform.ts";
import { Poller } from "../../widgets/shared/poller.ts";

/** What the watch over a person's money needs. */
export interface LiveOptions {
  readonly platform: Platform;
  /** The app's own address. */
  readonly origin: string;
  /** Brings what the device knows up to date; never throws, and tells whether anything was new. */
  readonly freshen: () => Promise<boolean>;
}

/**
 * Hints come within a moment where streams pass. Where none do, a payment that arrives is seen by looking this often;
 * the page that shows a code, where somebody waits for one, looks every two seconds by itself.
 */
const PACE = Object.freeze({ shortestMs: 10_000, longestMs: 30_000 });

/**
 * Keeps an open app up to date: the broker's stream says "look again", and looking goes on without it. Nothing is asked
 * while the page is hidden.
 */
export class Live {
  readonly #platform: Platform;
  readonly #poller: Poller;
  #endTurns: (() => void) | undefined;

  constructor({ platform, origin, freshen }: LiveOptions) {
    this.#platform = platform;
    const open = (signal: AbortSignal) =>
      fetch(new URL("/v1/me/events", origin), { headers: { "X-Cupo-Request": "1" }, cache: "no-store", signal });
    const look = async () => ({ changed: await freshen(), retryAfterMs: 0 });
    this.#poller = new Poller(platform, look, PACE, (hinted) => createHintStream(platform, open, hinted));
  }

  /** Begins; a second call changes nothing. */
  start(): void {
    if (this.#endTurns !== undefined) return;
    // A hidden page does not look; without this, one that was hidden once would never look again.
    this.#endTurns = this.#platform.onTurn(() => this.#poller.lookNow());
    this.#poller.start();
  }

  /** Looks no more: nobody is signed in, or the app is locked. */
  stop(): void {
    this.#endTurns?.();
    this.#endTurns = undefined;
    this.#poller.stop();
  }
}
