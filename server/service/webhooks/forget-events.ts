import type { Sql } from "../../database/connect.ts";

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Few enough that a delete holds its locks for milliseconds. */
const ROWS_AT_ONCE = 2_000;
/** A backlog goes on with the next call, so that no call runs without end. */
const MOST_DELETES = 500;

/**
 * Deletes events older than 30 days with their deliveries, some thousand at a time, and then the webhooks that have
 * been disabled for as long. Returns how many events.
 */
export async function forgetEvents(sql: Sql, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  let forgotten = 0;
  for (let round = 0; round < MOST_DELETES; round += 1) {
    const { count } = await sql`
      with old as materialized (
        select id, entity_id from service.events where created_at < ${before}
        order by created_at limit ${ROWS_AT_ONCE}),
      sent as (
        delete from service.webhook_deliveries d
        using old join service.webhook_endpoints w on w.entity_id = old.entity_id
        where d.endpoint_id = w.id and d.event_id = old.id)
      delete from service.events e using old where e.id = old.id`;
    forgotten += count;
    if (count < ROWS_AT_ONCE) break;
  }
  await sql`
    delete from service.webhook_endpoints w where disabled_at < ${before}
      and not exists (select from service.webhook_deliveries where endpoint_id = w.id)`;
  return forgotten;
}
