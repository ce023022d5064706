import { type Composed, compose } from "./compose.ts";
import { Pool, type PoolOptions } from "./pool.ts";
import { rowsOf } from "./rows-of.ts";
import type { Statement } from "./statement.ts";
import { type Row, type Tag, tagFor } from "./tag.ts";
import { Transaction } from "./transaction.ts";

/** One transaction under way: functions that write take it as a required argument. */
export type Tx = Tag;

/** A connection that is held until it is released. */
export interface ReservedSql extends Tag {
  /**
   * Runs the statements that `give` starts and does not wait for as one transaction in one round trip, and returns the
   * rows of each. Several may be under way: they are carried out in order, each whatever became of those before.
   */
  together(give: (tx: Tx) => void): Promise<readonly (readonly Row[])[]>;
  /** False once it must be given back, so that another takes its place. */
  readonly isReusable: boolean;
  /** Milliseconds of this process when it was opened, as `performance.now()` tells them. */
  readonly openedAtMs: number;
  release(): void;
  /** Ends the connection; what was given to it and is not answered fails. */
  discard(): void;
}

/** A pool of connections; a tagged template runs one statement, `begin` a transaction. */
export interface Sql extends Tag {
  begin<T>(work: (tx: Tx) => T | PromiseLike<T>): Promise<T>;
  begin<T>(options: string, work: (tx: Tx) => T | PromiseLike<T>): Promise<T>;
  reserve(): Promise<ReservedSql>;
  /** Waits for what was given, at most so many seconds, and closes every connection. */
  end(options?: { readonly timeout?: number }): Promise<void>;
}

/** Makes a pool that nothing has been asked of yet. */
export function poolOf(options: PoolOptions): Sql {
  const pool = new Pool(options);

  async function run(statement: Statement<unknown>): Promise<unknown> {
    try {
      return rowsOf(await pool.run(compose(statement)));
    } catch (error) {
      statement.tellOrigin(error);
      throw error;
    }
  }

  async function begin<T>(...[first, second]: [string, Work<T>] | [Work<T>]): Promise<T> {
    const [options, work] = typeof first === "string" ? [first, second as Work<T>] : ["", first];
    const connection = await pool.acquire();
    try {
      const transaction = new Transaction(connection);
      return await transaction.complete(options, () => work(tagFor(transaction.run)));
    } finally {
      pool.release(connection);
    }
  }

  async function reserve(): Promise<ReservedSql> {
    const connection = await pool.acquire();
    const sql = tagFor(async (statement) => rowsOf(await connection.run(compose(statement))));
    async function together(give: (tx: Tx) => void): Promise<readonly (readonly Row[])[]> {
      const given: Composed[] = [];
      const done = Promise.withResolvers<unknown>();
      give(
        tagFor((statement) => {
          given.push(compose(statement));
          return done.promise;
        }),
      );
      const answers = await connection.runTogether(given);
      return answers.map((answer) => rowsOf(answer) as readonly Row[]);
    }
    const { openedAtMs } = connection;
    const held = { together, openedAtMs, release: () => pool.release(connection), discard: () => connection.destroy() };
    return Object.defineProperty(Object.assign(sql, held), "isReusable", {
      get: () => connection.isReusable,
    }) as unknown as ReservedSql;
  }

  return Object.assign(tagFor(run), { begin, reserve, end: pool.end.bind(pool) });
}

type Work<T> = (tx: Tx) => T | PromiseLike<T>;
