import { createHintStream, type HintStream } from "../../widgets/shared/hint-stream.ts";
import type { Platform } from "../../widgets/shared/platform.ts";
import { Poller } from "../../widgets/shared/poller.ts";

/** What the watch over a person's money needs. */
export interface LiveOptions {
  readonly platform: Platform;
  /** Asks the broker for the stream that says "look again". */
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** Brings what the device knows up to date; never throws, and tells whether anything was new. */
  readonly freshen: () => Promise<boolean>;
}

/**
 * Hints come within a moment where streams pass. Where none do, a payment that arrives is seen by looking this often;
 * the page that shows a code, where somebody waits for one, looks every two seconds by itself.
 */
const PACE = Object.freeze({ shortestMs: 10_000, longestMs: 30_000 });

/** A stream that held so long was a good one: its end is its age, or a restart, and no reason to do without. */
const HELD_MS = 30_000;

/**
 * A stream that is there whenever the person is: a new one at once after they came back to the app, where others wait,
 * and after one that had grown old. What came in between is looked for.
 */
function lastingStream({ platform, open }: LiveOptions, hinted: () => void): HintStream {
  let stream = createHintStream(platform, open, hinted);
  return {
    async listen() {
      const own = stream;
      const begun = platform.now();
      await own.listen();
      if (own === stream && platform.now() - begun >= HELD_MS) hinted();
    },
    close() {
      stream.close();
      stream = createHintStream(platform, open, hinted);
    },
  };
}

/**
 * Keeps an open app up to date: the broker's stream says "look again", and looking goes on without it. Nothing is asked
 * while the page is hidden.
 */
export class Live {
  readonly #platform: Platform;
  readonly #poller: Poller;
  #endTurns: (() => void) | undefined;

  constructor(options: LiveOptions) {
    const { platform, freshen } = options;
    this.#platform = platform;
    const look = async () => ({ changed: await freshen(), retryAfterMs: 0 });
    this.#poller = new Poller(platform, look, PACE, (hinted) => lastingStream(options, hinted));
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
