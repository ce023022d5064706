import type { Sql } from "../../../database/connect.ts";
import type { NewMerchantEvent } from "./payment-events.ts";

/**
 * Adds merchant events to the outbox, and returns how many are new. A session is reported as paid once, and as expired
 * once unless it was paid; a refund is reported once for each sum, and not after a greater one.
 */
export async function saveMerchantEvents(sql: Sql, events: readonly NewMerchantEvent[], now: Date): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map(({ id, merchantId, sessionId, type, refundedAmount, body }) => ({
    id,
    merchant_id: merchantId,
    session_id: sessionId,
    type,
    refunded_amount: String(refundedAmount),
    body,
  }));
  const { count } = await sql`
    insert into broker.merchant_events
      (id, merchant_id, session_id, type, refunded_amount, body, created_at, state, next_attempt_at)
    select r.id, r.merchant_id, r.session_id, r.type, r.refunded_amount, r.body, ${now}, 'waiting', ${now}
    from json_populate_recordset(null::broker.merchant_events, ${JSON.stringify(rows)}::text::json) r
    where not exists (
      select from broker.merchant_events e where e.session_id = r.session_id and (
        (r.type = 'payment.refunded' and e.refunded_amount >= r.refunded_amount)
        or (r.type = 'payment.expired' and e.type = 'payment.paid')))
    on conflict on constraint merchant_events_once do nothing`;
  return count;
}

/** Returns the largest sum, in minor units, that a session's merchant was told was given back; zero for none. */
export async function refundToldOf(sql: Sql, sessionId: string): Promise<bigint> {
  const [row] = await sql<{ readonly sum: bigint }[]>`
    select coalesce(max(refunded_amount), 0)::bigint as sum from broker.merchant_events
    where session_id = ${sessionId}`;
  return row?.sum ?? 0n;
}

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Few enough that an update holds its locks for milliseconds. */
const ROWS_AT_ONCE = 2_000;
/** A backlog goes on with the next call. */
const MOST_ROUNDS = 500;

/**
 * Deletes the bodies of merchant events older than 30 days, some thousand at a time, and returns how many; the fact
 * that they were sent is kept for as long as their session. An event that still waits, as for a merchant whose webhook
 * was removed, becomes `failed`.
 */
export async function forgetMerchantEvents(sql: Sql, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  let forgotten = 0;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { count } = await sql`
      update broker.merchant_events set body = null, state = case state when 'delivered' then state else 'failed' end
      where id in (
        select id from broker.merchant_events where body is not null and created_at < ${before}
        order by created_at limit ${ROWS_AT_ONCE})`;
    forgotten += count;
    if (count < ROWS_AT_ONCE) break;
  }
  return forgotten;
}
