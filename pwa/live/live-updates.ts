import { type ChangeStream, createChangeStream } from "../../widgets/shared/change-stream.ts";
import type { Platform } from "../../widgets/shared/platform.ts";
import { Poller } from "../../widgets/shared/poller.ts";

/** Dependencies of {@link LiveUpdates}. */
export interface LiveUpdatesOptions {
  readonly platform: Platform;
  /** Opens the broker's stream of hints to poll again. */
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** Updates the device's data; never throws, and resolves to true if anything was new. */
  readonly refresh: () => Promise<boolean>;
}

/**
 * Hints arrive at once where streams get through. Elsewhere, polling at this pace finds an arriving payment; the page
 * that shows a code, where the payee waits for one, polls every two seconds by itself.
 */
const PACE = Object.freeze({ shortestMs: 10_000, longestMs: 30_000 });

/** A stream that lasted this long worked: it ended by age or a server restart, and is opened again. */
const HELD_MS = 30_000;

/**
 * A stream that stays open while the person is present: reopened without the usual delay on their return to the app,
 * and after one that ended by age. A poll finds the changes in between.
 */
function lastingStream({ platform, open }: LiveUpdatesOptions, hinted: () => void): ChangeStream {
  let stream = createChangeStream(platform, open, hinted);
  return {
    async listen() {
      const own = stream;
      const begun = platform.now();
      await own.listen();
      if (own === stream && platform.now() - begun >= HELD_MS) hinted();
    },
    close() {
      stream.close();
      stream = createChangeStream(platform, open, hinted);
    },
  };
}

/**
 * Keeps an open app up to date: the broker's stream hints to poll again, and polling continues without it. No request
 * is sent while the page is hidden.
 */
export class LiveUpdates {
  readonly #platform: Platform;
  readonly #poller: Poller;
  #stopListening: (() => void) | undefined;

  constructor(options: LiveUpdatesOptions) {
    const { platform, refresh } = options;
    this.#platform = platform;
    const poll = async () => ({ changed: await refresh(), retryAfterMs: 0 });
    this.#poller = new Poller(platform, poll, PACE, (hinted) => lastingStream(options, hinted));
  }

  /** Starts polling; a second call changes nothing. */
  start(): void {
    if (this.#stopListening !== undefined) return;
    // A hidden page does not poll; without this, a page that was hidden once would never poll again.
    this.#stopListening = this.#platform.onResume(() => this.#poller.pollNow());
    this.#poller.start();
  }

  /** Stops polling: nobody is signed in, or the app is locked. */
  stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#poller.stop();
  }
}
