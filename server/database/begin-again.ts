import { classifyDatabaseError } from "./classify-database-error.ts";
import type { Sql } from "./connect.ts";

/** Tries of one transaction after deadlocks and serialization failures. */
const TRIES = 5;

/**
 * The same pool, whose transactions are run again, a bounded number of times, where another one was in the way: the
 * database undid them, so that nothing was written. What a transaction runs may therefore run more than once.
 */
export function beginAgain(sql: Sql): Sql {
  const begin = async (...work: Parameters<Sql["begin"]>): Promise<unknown> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sql.begin(...work);
      } catch (error) {
        if (attempt === TRIES || classifyDatabaseError(error).kind !== "retry") throw error;
      }
    }
  };
  return new Proxy(sql, { get: (pool, name) => (name === "begin" ? begin : Reflect.get(pool, name)) });
}
