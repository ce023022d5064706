import type { Platform } from "./platform.ts";

/** Opens the broker's stream of update hints; each hint says only that a poll may find something new. */
export type OpenChangeStream = (signal: AbortSignal) => Promise<Response>;

/** Minimum time between two requests for a stream, whatever became of the first: polling continues as without one. */
const OPEN_AGAIN_MS = 30_000;

/** The letter `d`, which is in a hint (`data:`) and in no heartbeat, however a proxy splits or joins the lines. */
const HINT_BYTE = 100;

/** One stream a page: over HTTP/1.1 a browser has six connections to a host, and polls need some of them. */
let taken = false;

/** Listens to a broker's hints where it can; a failure here only means that no hints arrive. */
export interface ChangeStream {
  /** Opens the stream, unless the page has one, requested one less than 30 s ago, or is hidden. Never throws. */
  listen(): Promise<void>;
  /** Closes the stream: no request and no reader remains. */
  close(): void;
}

/** Creates a stream, closed at first, that calls `hinted` at each hint; a page has one open at a time. */
export function createChangeStream(platform: Platform, open: OpenChangeStream, hinted: () => void): ChangeStream {
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
        // Refused or disconnected: the next poll finds the cause, and reports it if it matters.
      }
      own.abort();
      taken = false;
    },
    close: () => request?.abort(),
  };
}
