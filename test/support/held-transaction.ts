import type { Sql, Tx } from "../../server/database/connect.ts";

/** Does `work` in a transaction that then stays open, with its locks; the returned function commits it. */
export async function holdTransaction(sql: Sql, work: (tx: Tx) => PromiseLike<unknown>): Promise<() => Promise<void>> {
  const [done, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = sql.begin(async (tx) => {
    await work(tx);
    done.resolve();
    await released.promise;
  });
  await Promise.race([done.promise, holding]);
  return async () => {
    released.resolve();
    await holding;
  };
}

/** How many sessions of this database wait for a lock; other tests' databases of the same cluster do not count. */
export async function lockWaits(sql: Sql): Promise<number> {
  const waiting = await sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return waiting.length;
}
