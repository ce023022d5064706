import { describeError, type HttpLog } from "../http/http-log.ts";

/** The task that is repeated while a process runs. */
export interface RepeatedTask {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
  readonly log: HttpLog;
}

/** A task that repeats until it is stopped. */
export interface Repeating {
  /** Waits for a run that is under way; none begins after it. */
  stop(): Promise<void>;
}

/** Repeats a task, one run at a time; a run that fails is logged, and the next one tries again. */
export function repeatTask({ name, everyMs, run, log }: RepeatedTask): Repeating {
  let running: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    try {
      await run();
    } catch (error) {
      log.warn({ task: name, error: describeError(error) }, "a repeated task failed");
    }
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= begin();
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
