import type { Sql } from "../database/connect.ts";

/** How long the answer to an idempotency key is kept (interface: Idempotency). */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Few enough that a delete holds its locks for milliseconds. */
const ROWS_AT_ONCE = 5_000;
/** The next call continues a backlog, so that no call runs without end. */
const MOST_DELETES = 200;

/**
 * Deletes idempotency records older than 30 days, some thousand at a time and at most a million in a call, so that the
 * next call continues a backlog; returns how many.
 */
export async function purgeIdempotencyRecords(sql: Sql, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  let forgotten = 0;
  for (let round = 0; round < MOST_DELETES; round += 1) {
    const { count } = await sql`
      delete from service.idempotency_records where ctid = any(array(
        select ctid from service.idempotency_records where created_at < ${before} limit ${ROWS_AT_ONCE}))`;
    forgotten += count;
    if (count < ROWS_AT_ONCE) break;
  }
  return forgotten;
}
