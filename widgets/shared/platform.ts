/** Browser services of an element that tests replace: clock, timers, randomness, and page visibility. */
export interface Platform {
  /** Milliseconds of a monotonic clock; its zero means nothing. */
  now(): number;
  /** Runs `task` once after `delayMs` and gives a function that prevents it. */
  after(delayMs: number, task: () => void): () => void;
  /** A number from 0 up to, not including, 1. */
  random(): number;
  isVisible(): boolean;
  /** Calls `listener` when the page shows, hides or comes online; gives a function that ends it. */
  onResume(listener: () => void): () => void;
  /** Reports an error that nobody caught to the page's error handlers. */
  readonly report: (error: unknown) => void;
}

/** The {@link Platform} of the browser itself, with its real clock, timers and events. */
export const browserPlatform: Platform = {
  now: () => performance.now(),
  after(delayMs: number, task: () => void) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
  // Only keeps pages from polling all at once: the time since each was opened is random enough.
  random: () => (performance.now() % 1000) / 1000,
  report: (error: unknown) => reportError(error),
  isVisible: () => document.visibilityState === "visible",
  onResume(listener: () => void) {
    // Also the options of the listeners: a controller has the `signal` that ends them.
    const listening = new AbortController();
    document.addEventListener("visibilitychange", listener, listening);
    // A page that comes back from the back/forward cache was never hidden as far as it knows.
    addEventListener("pageshow", (event) => event.persisted && listener(), listening);
    addEventListener("online", listener, listening);
    return () => listening.abort();
  },
};
