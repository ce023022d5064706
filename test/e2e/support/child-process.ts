import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { bareEnvironment } from "../../support/bare-environment.ts";

/** How a child process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Options with which `server/main.ts` is started, besides a bare environment. */
export interface ChildOptions {
  /** Absent: everything in one process. */
  readonly role?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The operating system's user that runs it, where root tests what other users see. */
  readonly uid?: number;
  /** The checkout that it is started from; this one when absent. */
  readonly root?: string;
}

const ROOT = join(import.meta.dirname, "../../..");
const READY = /^Cupo \S+ is ready\.$/m;
const READY_MS = 40_000;
/** PostgreSQL may take its time to write everything; a longer wait is a hang. */
const END_MS = 20_000;

/** A started `server/main.ts`: its output, when it is ready, how it ends. It gets a bare environment, not ours. */
export class MainProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ending>;
  readonly #startedAt = performance.now();
  out = "";
  err = "";

  constructor({ role, environment = {}, uid, root = ROOT }: ChildOptions) {
    this.#child = spawn(process.execPath, ["server/main.ts", ...(role === undefined ? [] : [role])], {
      cwd: root,
      env: { ...bareEnvironment(), ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    this.#child.stdout?.on("data", (data) => {
      this.out += data;
    });
    this.#child.stderr?.on("data", (data) => {
      this.err += data;
    });
    this.#ended = once(this.#child, "close").then(([code, signal]) => ({ code, signal }));
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error("the process did not start");
    return this.#child.pid;
  }

  /** True once it has ended, however it did. */
  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Waits until it prints that it is ready; returns the milliseconds that took. Throws its output if it ends first. */
  async ready(): Promise<number> {
    for (;;) {
      if (READY.test(this.out)) return performance.now() - this.#startedAt;
      if (this.isOver) throw new Error(`it ended before it was ready: ${this.out}${this.err}`);
      if (performance.now() - this.#startedAt > READY_MS) throw new Error(`not ready in ${READY_MS} ms: ${this.err}`);
      await delay(10);
    }
  }

  /** Sends it a signal; one that has ended already gets none. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for its end, for `END_MS` at most. */
  async ended(): Promise<Ending> {
    const bound = new AbortController();
    const late = delay(END_MS, undefined, { signal: bound.signal }).then(() => {
      throw new Error(`it had not ended after ${END_MS} ms: ${this.err.slice(-2_000)}`);
    });
    try {
      return await Promise.race([this.#ended, late]);
    } finally {
      bound.abort();
      late.catch(() => undefined);
    }
  }
}
