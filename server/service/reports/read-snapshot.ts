import type { Sql, Tx } from "../../database/connect.ts";

/**
 * Reads a report in one database transaction that sees one state of the books, so that its figures agree. `asOf` is the
 * instant through which that state is complete: on a replica, that of the last commit which has arrived there.
 */
export async function readSnapshot<T>(
  sql: Sql,
  clock: () => Date,
  read: (tx: Tx, asOf: Date) => Promise<T>,
): Promise<T> {
  const now = clock();
  const result = await sql.begin("isolation level repeatable read read only", async (tx) => {
    const [row] = await tx<{ replayedAt: Date | null }[]>`
      select case when pg_is_in_recovery()
        then coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time()) end as "replayedAt"`;
    const replayedAt = row?.replayedAt ?? now;
    return { value: await read(tx, replayedAt < now ? replayedAt : now) };
  });
  return result.value as T;
}
