const INTERVAL_MS = 1_000;
/** A timer that runs this much later than it should is taken as a sign of a flood. */
const LATE_MS = 1_000;

/** Watches the event loop. */
interface LoopWatch {
  /**
   * True if timers lately ran late: then what a client sent may still wait in the system's buffer, and its silence says
   * nothing.
   */
  isLate(): boolean;
  stop(): void;
}

/** Starts to watch the event loop by a timer; `now` gives the time in milliseconds. */
export function watchLoop(now = (): number => performance.now()): LoopWatch {
  let last = now();
  let late = 0;
  const timer = setInterval(() => {
    const at = now();
    late = at - last - INTERVAL_MS;
    last = at;
  }, INTERVAL_MS).unref();
  return {
    isLate: () => Math.max(late, now() - last - INTERVAL_MS) > LATE_MS,
    stop: () => clearInterval(timer),
  };
}
