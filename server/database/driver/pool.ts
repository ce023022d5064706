import { setTimeout as sleep } from "node:timers/promises";
import type { Composed } from "./compose.ts";
import type { Connection } from "./connection.ts";
import { connectionError } from "./connection-error.ts";
import type { Answer } from "./statement-group.ts";

/** How many connections a pool may hold, and how it opens one. */
export interface PoolOptions {
  readonly max: number;
  readonly open: () => Promise<Connection>;
}

interface Waiter {
  /** True if it needs the connection for itself alone, not for one statement. */
  readonly isAlone: boolean;
  readonly resolve: (connection: Connection) => void;
  readonly reject: (error: unknown) => void;
}

interface Idle {
  readonly connection: Connection;
  readonly since: number;
}

const IDLE_MS = 300_000;
/** A database that is away is tried again within this, so that one that returns is soon used. */
const LONGEST_BACKOFF_MS = 1_000;

/** Of the statements that had to wait, so many at most travel together on one connection. */
const MOST_TOGETHER = 8;

/** A pool that opens connections when they are needed, lends them, and keeps them for later callers. */
export class Pool {
  readonly #options: PoolOptions;
  /** Open connections, each with the number of its present users. */
  readonly #connections = new Map<Connection, number>();
  /** The connection returned last is lent first, so that connections that are not needed stay idle and are closed. */
  #idle: Idle[] = [];
  readonly #waiting: Waiter[] = [];
  #opening = 0;
  /** Failures to open one since the last success. */
  #failures = 0;
  #sweep: NodeJS.Timeout | undefined;
  #isEnding = false;
  #ended: Promise<void> | undefined;
  readonly #emptied = Promise.withResolvers<void>();
  readonly #closing = new Set<Promise<void>>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Runs one statement. */
  async run(composed: Composed): Promise<Answer | readonly Answer[]> {
    const connection = await this.acquire({ isAlone: false });
    try {
      return await connection.run(composed);
    } finally {
      this.release(connection);
    }
  }

  /** Lends a connection, to be given back by {@link release}: to one alone, or to others as well. */
  acquire({ isAlone } = { isAlone: true }): Promise<Connection> {
    if (this.#isEnding) return Promise.reject(connectionError("CONNECTION_ENDED"));
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      this.#connections.set(idle.connection, 1);
      return Promise.resolve(idle.connection);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    this.#waiting.push({ isAlone, resolve, reject });
    this.#grow();
    return promise;
  }

  /**
   * Takes a connection back and lends it to the longest waiters; one that can no longer be used is closed. When it led
   * to a server that only reads, so do the idle ones: they are closed too, and the hosts are asked again.
   */
  release(connection: Connection): void {
    const users = this.#connections.get(connection);
    if (users === undefined) return;
    this.#connections.set(connection, users - 1);
    if (users > 1) return;
    if (connection.onlyReads) this.#closeAllIdle();
    if (!connection.isReusable) this.#close(connection);
    else if (this.#waiting.length > 0) this.#lend(connection);
    else if (this.#isEnding) this.#close(connection);
    else {
      this.#idle.push({ connection, since: performance.now() });
      this.#sweep ??= setTimeout(() => this.#closeIdle(), IDLE_MS).unref();
    }
  }

  /**
   * Lends a connection to the first waiter; if that one runs a single statement, also to the next ones that do, as many
   * as its share of those that wait.
   */
  #lend(connection: Connection): void {
    const connections = this.#connections.size + this.#opening;
    const share = Math.min(Math.ceil(this.#waiting.length / connections), MOST_TOGETHER);
    const second = this.#waiting.findIndex(({ isAlone }, index) => index === share || isAlone);
    const users = this.#waiting.splice(0, Math.max(second === -1 ? share : second, 1));
    this.#connections.set(connection, users.length);
    for (const { resolve } of users) resolve(connection);
  }

  /**
   * Refuses new statements and waits until all that were given are done, at most so many seconds; what is left then
   * fails.
   */
  end({ timeout }: { readonly timeout?: number } = {}): Promise<void> {
    this.#isEnding = true;
    this.#ended ??= this.#end(timeout);
    return this.#ended;
  }

  async #end(timeout: number | undefined): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = timeout === undefined ? undefined : setTimeout(late.resolve, timeout * 1000);
    clearTimeout(this.#sweep);
    this.#closeAllIdle();
    this.#checkEmpty();
    const done = this.#emptied.promise.then(() => Promise.all(this.#closing));
    await Promise.race([done, late.promise]);
    clearTimeout(timer);
    this.#destroy();
  }

  #destroy(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(connectionError("CONNECTION_DESTROYED"));
    for (const connection of this.#connections.keys()) connection.destroy();
  }

  /** Opens as many connections as are waited for, up to the limit. */
  #grow(): void {
    while (this.#opening < this.#waiting.length && this.#connections.size + this.#opening < this.#options.max) {
      this.#opening += 1;
      void this.#open();
    }
  }

  async #open(): Promise<void> {
    try {
      if (this.#failures > 0) await sleep(Math.min(3 ** this.#failures * 10, LONGEST_BACKOFF_MS));
      const connection = await this.#options.open();
      this.#opening -= 1;
      this.#failures = 0;
      this.#connections.set(connection, 1);
      connection.lost.addEventListener("abort", () => this.#forget(connection));
      this.release(connection);
    } catch (error) {
      this.#opening -= 1;
      this.#failures += 1;
      // Without any connection nobody else would ever answer those who wait.
      const failed = this.#connections.size + this.#opening === 0 ? this.#waiting.length : 1;
      for (const { reject } of this.#waiting.splice(0, failed)) reject(error);
      this.#grow();
      this.#checkEmpty();
    }
  }

  #closeAllIdle(): void {
    for (const { connection } of this.#idle.splice(0)) this.#close(connection);
  }

  #closeIdle(): void {
    const latest = performance.now() - IDLE_MS;
    const old = this.#idle.filter(({ since }) => since <= latest);
    this.#idle = this.#idle.filter(({ since }) => since > latest);
    for (const { connection } of old) this.#close(connection);
    const [next] = this.#idle;
    this.#sweep = next && setTimeout(() => this.#closeIdle(), next.since - latest).unref();
  }

  #close(connection: Connection): void {
    this.#forget(connection);
    const closing = connection.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #forget(connection: Connection): void {
    if (!this.#connections.delete(connection)) return;
    this.#idle = this.#idle.filter((idle) => idle.connection !== connection);
    this.#grow();
    this.#checkEmpty();
  }

  #checkEmpty(): void {
    if (this.#isEnding && this.#connections.size + this.#opening === 0) this.#emptied.resolve();
  }
}
