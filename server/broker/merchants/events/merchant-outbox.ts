import type { Sql } from "../../../database/connect.ts";
import type { Sealer } from "../../../database/sealer.ts";
import {
  type Claim,
  type ClaimRequest,
  type DeliveryStore,
  type Endpoint,
  LEASE_MS,
  type Recorded,
} from "../../../webhooks/delivery-store.ts";
import { openWebhookSecrets } from "../webhook-secrets.ts";
import { hasWebhook, merchantsWithWebhook } from "./webhook-session.ts";

/** Merchants with a message due now; each costs one look into an index. */
function dueMerchants(sql: Sql, now: Date): Promise<readonly Endpoint[]> {
  return sql<Endpoint[]>`
    select m.id, m.webhook_url as url from ${merchantsWithWebhook(sql)}
    where ${hasWebhook(sql)} and exists (
      select from broker.merchant_events e
      where e.merchant_id = m.id and e.state = 'waiting' and e.next_attempt_at <= ${now}
        and (e.leased_until is null or e.leased_until <= ${now}))`;
}

function claimEvents(
  sql: Sql,
  merchantId: string,
  { most, underWay }: ClaimRequest,
  now: Date,
): Promise<readonly Claim[]> {
  return sql<Claim[]>`
    with due as materialized (
      select id from broker.merchant_events
      where merchant_id = ${merchantId} and state = 'waiting' and next_attempt_at <= ${now}
        and (leased_until is null or leased_until <= ${now}) and id <> all(${[...underWay]}::uuid[])
      order by next_attempt_at, id limit ${most} for update skip locked)
    update broker.merchant_events e set attempts = e.attempts + 1, last_attempt_at = ${now},
      leased_until = ${new Date(now.getTime() + LEASE_MS)}, first_attempt_at = coalesce(e.first_attempt_at, ${now})
    from due where e.id = due.id
    returning e.merchant_id as "endpointId", e.id as "eventId", e.attempts, e.first_attempt_at as "firstAttemptAt",
      e.body`;
}

async function recordOutcomes(sql: Sql, recorded: readonly Recorded[]): Promise<void> {
  if (recorded.length === 0) return;
  const rows = recorded.map(({ eventId, attempts, state, nextAttemptAt, status, error, at }) => ({
    id: eventId,
    attempts,
    state,
    next_attempt_at: nextAttemptAt,
    last_status: status,
    last_error: error,
    delivered_at: state === "delivered" ? at : null,
  }));
  await sql`
    update broker.merchant_events e set state = r.state, next_attempt_at = r.next_attempt_at, leased_until = null,
      last_status = r.last_status, last_error = r.last_error, delivered_at = r.delivered_at
    from json_populate_recordset(null::broker.merchant_events, ${JSON.stringify(rows)}::text::json) r
    where e.id = r.id and e.attempts = r.attempts and e.state = 'waiting'`;
}

/**
 * Creates the delivery store of merchant events. A merchant that has no webhook or no secret is sent nothing; one that
 * is disabled still is. An answer 410 is a refusal as any other: only the operator takes a webhook away.
 */
export function merchantOutbox(sql: Sql, sealer: Sealer): DeliveryStore {
  return {
    dueEndpoints: (now) => dueMerchants(sql, now),
    claim: (merchantId, taking, now) => claimEvents(sql, merchantId, taking, now),
    record: (outcomes) => recordOutcomes(sql, outcomes),
    secretsOf: ({ id }) => openWebhookSecrets(sql, sealer, id),
  };
}
