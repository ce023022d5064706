import { describeError, type HttpLog } from "../http/http-log.ts";

/** A task to repeat while a process runs: its name in the log, its interval, and its function. */
export interface RepeatedTask {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
  readonly log: HttpLog;
}

/** The handle that stops a repeated task, or several. */
export interface Repeating {
  /** Waits for a run that is under way; none begins after it. */
  stop(): Promise<void>;
}

/** Repeats several tasks, each as {@link repeatTask} does; the `stop` that it returns stops all of them. */
export function repeatTasks(log: HttpLog, tasks: readonly Omit<RepeatedTask, "log">[]): Repeating {
  const repeating = tasks.map((task) => repeatTask({ ...task, log }));
  return { stop: async () => void (await Promise.all(repeating.map((task) => task.stop()))) };
}

/**
 * Repeats a task, one run at a time and the first after one interval; a run that fails is logged, and the next one
 * tries again.
 */
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
