import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

/** The most that a command of a terminal may take to say what a test waits for. */
export const TERMINAL_MS = 100_000;

/** A terminal: runs commands in bash and collects their output. */
export class Terminal {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  said = "";

  constructor(text: string, cwd: string, env: Record<string, string>) {
    this.#child = spawn("bash", ["-c", text], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (data) => {
        this.said += data;
      });
    this.#ended = once(this.#child, "close").then(([code]) => code as number | null);
  }

  /** Waits until its output matches; throws the output if it ends first, or after `TERMINAL_MS`. */
  async says(pattern: RegExp): Promise<readonly string[]> {
    for (const until = performance.now() + TERMINAL_MS; performance.now() < until; await delay(50)) {
      const found = pattern.exec(this.said);
      if (found !== null) return found;
      if (this.#child.exitCode !== null) break;
    }
    throw new Error(`it never said ${pattern}: ${this.said}`);
  }

  ended(): Promise<number | null> {
    return this.#ended;
  }

  /** Presses Ctrl-C, which every process in the foreground gets, and waits for the end. */
  async interrupt(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.pid === undefined) return;
    process.kill(-this.#child.pid, "SIGINT");
    await this.#ended;
  }
}
