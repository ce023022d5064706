import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** The environment of {@link ServerProcess}, and the port on which it makes the broker listen. */
export interface ServerOptions {
  readonly port: number;
  readonly environment: NodeJS.ProcessEnv;
}

const POLL_MS = 50;

/**
 * Child process that runs service and broker for development. It watches no files: `restart`, which the dev pages call
 * when a source of the server changes, starts it anew.
 */
export class ServerProcess {
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #listening: Promise<void> = Promise.resolve();
  #isRestarting = false;
  #isStopped = false;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Settles once the server takes requests, or has ended by itself and will take none. */
  get listening(): Promise<void> {
    return this.#listening;
  }

  start(): void {
    const child = spawn(process.execPath, ["server/main.ts"], { env: this.#options.environment, stdio: "inherit" });
    this.#child = child;
    this.#ended = once(child, "exit").then(() => this.#follow(child));
    this.#listening = untilListening(this.#options.port, child);
  }

  /** Ends the server and starts it with the code as it is then; only starts it if it has ended by itself. */
  restart(): void {
    if (this.#isStopped || this.#isRestarting) return;
    if (this.#child === undefined) {
      this.start();
      return;
    }
    this.#isRestarting = true;
    this.#listening = this.#ended.then(() => this.#listening);
    this.#child.kill("SIGTERM");
  }

  /** Passes a signal on to the server, and waits for its end. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#isStopped = true;
    this.#child?.kill(signal);
    await this.#ended;
  }

  #follow({ exitCode, signalCode }: ChildProcess): void {
    this.#child = undefined;
    if (this.#isStopped) return;
    if (this.#isRestarting) {
      this.#isRestarting = false;
      this.start();
      return;
    }
    process.stderr.write(
      `\nThe server ended (${exitCode ?? signalCode}). A change in server or src starts it again.\n`,
    );
  }
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null && !(await isOpen(port))) await delay(POLL_MS);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => settle(false));
    socket.once("connect", () => {
      socket.destroy();
      settle(true);
    });
  });
}
