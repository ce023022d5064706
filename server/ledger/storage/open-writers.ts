import type { Sql, SqlPart, Tx } from "../../database/connect.ts";

/** Sets these advisory locks apart from others: "cupo" in ASCII. */
const OPEN_WRITER = 0x63_75_70_6f;
/** The other half of a lock's key counts seconds from here in 31 bits. */
const EPOCH_SECONDS = Date.UTC(2020, 0, 1) / 1000;

/**
 * Tells other processes that this transaction is open, and draws no id before an instant; ended with it, also where its
 * process is gone. Must be answered before the first id is drawn. A lock, unlike pg_stat_activity, shows itself to
 * every role, and tells the writer's own clock. Sets how long the transaction waits for a lock, where that is given.
 */
export function tellOpen(tx: Tx, at: Date, lockTimeoutMs?: number): SqlPart {
  const seconds = Math.max(0, Math.floor(at.getTime() / 1000) - EPOCH_SECONDS);
  const timeout = lockTimeoutMs === undefined ? tx`` : tx`, set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`;
  return tx`select pg_advisory_xact_lock_shared(${OPEN_WRITER}::int4, ${seconds}::int4)${timeout}`;
}

/**
 * The instant before which no writer that is open now has drawn its ids; undefined where none is open. Rows that are
 * read after this answer hold all that was drawn earlier.
 */
export async function oldestOpen(sql: Sql): Promise<Date | undefined> {
  const [row] = await sql<{ seconds: bigint | null }[]>`
    select min(objid::int8) as seconds from pg_locks
    where locktype = 'advisory' and classid = ${OPEN_WRITER} and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())`;
  const seconds = row?.seconds ?? null;
  return seconds === null ? undefined : new Date((EPOCH_SECONDS + Number(seconds)) * 1000);
}
