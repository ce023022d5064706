import type { Platform } from "./platform.ts";

/** Asks the broker for a stream that says "look again", and nothing else, whenever there may be something new. */
export type OpenHints = (signal: AbortSignal) => Promise<Response>;

/** After a stream was asked for, none is for so long, whatever became of it: looking goes on as without one. */
const OPEN_AGAIN_MS = 30_000;

/** The letter `d`, which is in a hint (`data:`) and in no heartbeat, however a proxy cuts or joins the lines. */
const HINT_BYTE = 100;

/** One a page: over HTTP/1.1 a browser has six connections to a host, and the looks need some of them. */
let taken = false;

/** Listens to a broker's hints where it can; whatever fails here only means that hints do not come. */
export interface HintStream {
  /** Begins, unless the page has a stream, there was one a moment ago, or nobody is looking. Never throws. */
  listen(): Promise<void>;
  /** Ends it: no request and no reader remains. */
  close(): void;
}

/** Makes a stream that calls `hinted` at each hint. */
export function createHintStream(platform: Platform, open: OpenHints, hinted: () => void): HintStream {
  let request: AbortController | undefined;
  let notBefore = 0;

  return {
    async listen() {
      if (taken || platform.now() < notBefore || !platform.isVisible()) return;
      taken = true;
      notBefore = platform.now() + OPEN_AGAIN_MS;
      const own = new AbortController();
      request = own;
      try {
        const { ok, body } = await open(own.signal);
        const reader = ok ? body?.getReader() : undefined;
        for (let line = await reader?.read(); line?.value; line = await reader?.read()) {
          if (line.value.includes(HINT_BYTE)) hinted();
        }
      } catch {
        // Refused or cut: the next look finds out what it means, and says so where it matters.
      }
      own.abort();
      taken = false;
    },
    close: () => request?.abort(),
  };
}
