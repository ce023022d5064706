/** What an element needs of the browser that tests replace: clock, timers, chance, and whether anybody is looking. */
export interface Platform {
  /** Milliseconds of a monotonic clock; its zero means nothing. */
  now(): number;
  /** Runs `task` once after `delayMs` and gives a function that prevents it. */
  after(delayMs: number, task: () => void): () => void;
  /** A number from 0 up to, not including, 1. */
  random(): number;
  isVisible(): boolean;
  /** Calls `listener` when the page shows, hides or comes online; gives a function that ends it. */
  onTurn(listener: () => void): () => void;
  /** Tells an error that nobody caught to whoever watches the page's errors. */
  report(error: unknown): void;
}

/** The browser itself. */
export const browserPlatform: Platform = Object.freeze({
  now: () => performance.now(),
  after(delayMs: number, task: () => void) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
  // Only to keep pages from asking all at once: when each was opened is chance enough.
  random: () => (performance.now() % 1000) / 1000,
  report: (error: unknown) => reportError(error),
  isVisible: () => document.visibilityState === "visible",
  onTurn(listener: () => void) {
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("visibilitychange", listener, { signal });
    // A page that comes back from the back/forward cache was never hidden as far as it knows.
    addEventListener("pageshow", (event) => event.persisted && listener(), { signal });
    addEventListener("online", listener, { signal });
    return () => listening.abort();
  },
});
