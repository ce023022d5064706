import type { Sql } from "../../database/connect.ts";

/** How long after its expiry a code that nobody paid can still be looked up. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;
/** Few enough that a delete holds its locks for milliseconds. */
const ROWS_AT_ONCE = 5_000;
/** A backlog goes on with the next call, so that no call runs without end. */
const MOST_DELETES = 200;

/** The expiries to look at: those whose events were written, and that no run has looked at yet. */
async function windowOf(sql: Sql, now: Date) {
  const before = new Date(now.getTime() - KEPT_MS);
  const [window] = await sql<{ readonly from: Date | null; readonly through: Date }[]>`
    select forgotten_through as from, least(told_through, ${before}) as through from service.told_expiries`;
  return window;
}

/** Deletes dynamic codes that expired unpaid at least 90 days ago, some thousand at a time; returns how many. */
export async function forgetUnpaidQrs(sql: Sql, now: Date): Promise<number> {
  const window = await windowOf(sql, now);
  if (window === undefined) return 0;
  const { from, through } = window;
  let forgotten = 0;
  for (let round = 0; round < MOST_DELETES; round += 1) {
    const { count } = await sql`
      delete from service.qr_reservations where reference = any(array(
        select reference from service.qr_reservations
        where expires_at > coalesce(${from}, '-infinity'::timestamptz) and expires_at <= ${through}
          and transaction_id is null
        limit ${ROWS_AT_ONCE})) and transaction_id is null`;
    forgotten += count;
    if (count === ROWS_AT_ONCE) continue;
    await sql`update service.told_expiries set forgotten_through = ${through}`;
    break;
  }
  return forgotten;
}
