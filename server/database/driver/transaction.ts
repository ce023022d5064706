import type { DatabaseError } from "pg";
import { commitFailure } from "./commit-outcome.ts";
import { type Composed, compose } from "./compose.ts";
import type { Connection } from "./connection.ts";
import { rowsOf } from "./rows-of.ts";
import type { Statement } from "./statement.ts";

const IN_FAILED_TRANSACTION = "25P02";

/** The parts of a connection that a transaction needs. */
type Carrier = Pick<Connection, "join" | "lost">;

function command(text: string): Composed {
  return { text, types: [], values: [], copied: undefined, mode: "kept" };
}

/**
 * One transaction on a connection that is its own for so long. It fails with the first of its statements that fails,
 * even if its work caught that error, and it refuses statements once it is done.
 */
export class Transaction {
  readonly #connection: Carrier;
  #failure: unknown;
  #isOpen = true;

  constructor(connection: Carrier) {
    this.#connection = connection;
  }

  /**
   * Runs one of its statements. Those that are given without waiting travel together, the first with its `begin`, and
   * the last, which its work gives and does not wait for, with its `commit`.
   */
  readonly run = (statement: Statement<unknown>): Promise<unknown> => {
    const rows = this.#run(statement);
    // The transaction itself fails with it, also if the statement is never awaited.
    rows.catch(() => undefined);
    return rows;
  };

  async #run(statement: Statement<unknown>): Promise<unknown> {
    try {
      if (!this.#isOpen) throw this.#failure ?? new Error("A statement was given to a transaction that is done.");
      return rowsOf(await this.#connection.join(compose(statement)));
    } catch (error) {
      if (this.#failure === undefined) {
        this.#failure = error;
        statement.tellOrigin(error);
      }
      throw error;
    }
  }

  /** Begins, works and commits; when any of it fails nothing was written, unless the connection was lost meanwhile. */
  async complete<T>(options: string, work: () => T | PromiseLike<T>): Promise<T> {
    const { lost } = this.#connection;
    const loss = Promise.withResolvers<never>();
    const lose = () => loss.reject(lost.reason);
    lost.addEventListener("abort", lose);
    loss.promise.catch(() => undefined);
    try {
      const begun = this.#connection.join(command(`begin ${options.replace(/[^a-z ]/gi, "")}`));
      const [result] = await Promise.race([Promise.all([work(), begun]), loss.promise]);
      if (this.#failure !== undefined) throw this.#failure;
      this.#isOpen = false;
      await this.#commit();
      return result;
    } catch (error) {
      const first =
        (error as Partial<DatabaseError> | null)?.code === IN_FAILED_TRANSACTION ? this.#failure : undefined;
      this.#failure ??= error;
      this.#isOpen = false;
      await this.#rollBack();
      throw first ?? error;
    } finally {
      lost.removeEventListener("abort", lose);
    }
  }

  /**
   * PostgreSQL answers `ROLLBACK`, and no error, where the transaction had failed. Few errors say for certain that
   * nothing was written; after any other one the commit is unknown.
   */
  async #commit(): Promise<void> {
    const answer = await this.#connection.join(command("commit")).catch((error: unknown) => {
      throw commitFailure(error, this.#failure);
    });
    if ("command" in answer && answer.command === "COMMIT") return;
    throw this.#failure ?? new Error("The transaction was rolled back instead of committed.");
  }

  /** A connection on which this fails is closed when it is given back, which rolls back too. */
  async #rollBack(): Promise<void> {
    if (this.#connection.lost.aborted) return;
    await this.#connection.join(command("rollback")).catch(() => undefined);
  }
}
