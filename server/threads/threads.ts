import { Worker } from "node:worker_threads";
import { type Answers, Channel } from "./channel.ts";

/** Thrown when a thread ended though nobody asked it to; its message names the thread. */
class ThreadError extends Error {
  override readonly name = "ThreadError";
}

/** A thread, as the one that started it sees it. */
export interface Thread {
  readonly channel: Channel;
  /** Lets it finish what is under way, by its answer `close`, and ends it. */
  close(): Promise<void>;
}

/** The script of a thread, its name in the log, its data, and the answers to its questions. */
interface ThreadOptions {
  readonly script: URL;
  readonly name: string;
  readonly data: unknown;
  readonly answers: Answers;
}

/**
 * Megabytes of a thread's memory for objects that die young, as most of a request's do, and for the others. Without a
 * limit V8 lets garbage grow to several times of what is in use before it looks for it.
 */
const LIMITS = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 1024 };

/** The threads that a process has started. */
export class Threads {
  readonly #threads: Thread[] = [];
  readonly #lost = Promise.withResolvers<never>();

  constructor() {
    // It is for whoever runs the process; nobody else need wait for it.
    this.#lost.promise.catch(() => undefined);
  }

  /** Rejects when a thread ends unasked; never settles otherwise. */
  get lost(): Promise<never> {
    return this.#lost.promise;
  }

  start({ script, name, data, answers }: ThreadOptions): Thread {
    const worker = new Worker(script, { name, workerData: data, resourceLimits: LIMITS });
    const channel = new Channel(worker, answers);
    let isAsked = false;
    const lose = (cause?: unknown): void => {
      const error = new ThreadError(`The thread "${name}" ended.`, { cause });
      channel.end(error);
      if (!isAsked) this.#lost.reject(error);
    };
    worker.on("error", lose);
    worker.on("exit", () => lose());
    const close = async (): Promise<void> => {
      isAsked = true;
      // A thread that is lost has nothing under way.
      await channel.ask("close").catch(() => undefined);
      await worker.terminate();
    };
    const thread = { channel, close };
    this.#threads.push(thread);
    return thread;
  }

  /** Asks every thread the same. */
  askAll<T>(name: string): Promise<T[]> {
    return Promise.all(this.#threads.map(({ channel }) => channel.ask<T>(name)));
  }
}
