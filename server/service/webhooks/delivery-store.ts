import type { Sql, Tx } from "../../database/connect.ts";
import type { Sealer } from "../../database/sealer.ts";
import {
  type Claim,
  type ClaimRequest,
  type DeliveryStore,
  type Endpoint,
  LEASE_MS,
  type Recorded,
} from "../../webhooks/delivery-store.ts";
import { openWebhookSecret } from "./webhook-secret.ts";

/** An endpoint with a due delivery, and the sealed secrets that sign it. */
interface DueEndpoint extends Endpoint {
  /** Those that sign now, the newest first. */
  readonly sealedSecrets: readonly Uint8Array[];
}

/** The enabled endpoints that have a delivery due now; each costs one index probe. */
async function dueEndpoints(sql: Sql, now: Date): Promise<readonly DueEndpoint[]> {
  const rows = await sql<(DueEndpoint & { readonly previousSecretUntil: Date | null })[]>`
    select e.id, e.url, e.sealed_secrets as "sealedSecrets", e.previous_secret_until as "previousSecretUntil"
    from service.webhook_endpoints e
    where e.disabled_at is null and exists (
      select from service.webhook_deliveries d
      where d.endpoint_id = e.id and d.state = 'waiting' and d.next_attempt_at <= ${now}
        and (d.leased_until is null or d.leased_until <= ${now}))`;
  return rows.map(({ id, url, sealedSecrets, previousSecretUntil }) => {
    const isRotating = previousSecretUntil !== null && previousSecretUntil > now;
    return { id, url, sealedSecrets: isRotating ? sealedSecrets : sealedSecrets.slice(0, 1) };
  });
}

/** Takes the deliveries of an endpoint that are due, the longest waiting first, so that no other process sends them. */
function claimDeliveries(
  sql: Sql,
  endpointId: string,
  { most, underWay }: ClaimRequest,
  now: Date,
): Promise<readonly Claim[]> {
  return sql<Claim[]>`
    with due as materialized (
      select endpoint_id, event_id from service.webhook_deliveries
      where endpoint_id = ${endpointId} and state = 'waiting' and next_attempt_at <= ${now}
        and (leased_until is null or leased_until <= ${now}) and event_id <> all(${[...underWay]}::uuid[])
      order by next_attempt_at limit ${most} for update skip locked)
    update service.webhook_deliveries d set attempts = d.attempts + 1, last_attempt_at = ${now},
      leased_until = ${new Date(now.getTime() + LEASE_MS)}, first_attempt_at = coalesce(d.first_attempt_at, ${now})
    from due join service.events e on e.id = due.event_id
    where d.endpoint_id = due.endpoint_id and d.event_id = due.event_id
    returning d.endpoint_id as "endpointId", d.event_id as "eventId", d.attempts,
      d.first_attempt_at as "firstAttemptAt", e.body`;
}

/** Records the outcomes of claims; one that another process has taken over since keeps that process's outcome. */
async function recordOutcomes(sql: Sql, recorded: readonly Recorded[]): Promise<void> {
  if (recorded.length === 0) return;
  const rows = recorded.map(({ endpointId, eventId, attempts, state, nextAttemptAt, status, error, at }) => ({
    endpoint_id: endpointId,
    event_id: eventId,
    attempts,
    state,
    next_attempt_at: nextAttemptAt,
    last_status: status,
    last_error: error,
    delivered_at: state === "delivered" ? at : null,
  }));
  await sql`
    update service.webhook_deliveries d set state = r.state, next_attempt_at = r.next_attempt_at, leased_until = null,
      last_status = r.last_status, last_error = r.last_error, delivered_at = coalesce(r.delivered_at, d.delivered_at)
    from json_populate_recordset(null::service.webhook_deliveries, ${JSON.stringify(rows)}::text::json) r
    where d.endpoint_id = r.endpoint_id and d.event_id = r.event_id and d.attempts = r.attempts
      and d.state = 'waiting'`;
}

/**
 * Records in an entity's row whether the entity has an enabled webhook endpoint, without which no events are written
 * for it. The caller must have locked the row.
 */
export async function markSendsEvents(tx: Tx, entityId: string): Promise<void> {
  await tx`
    update service.entities e set sends_events = s.sends
    from (select exists (select from service.webhook_endpoints
      where entity_id = ${entityId} and disabled_at is null) as sends) s
    where e.id = ${entityId} and e.sends_events <> s.sends`;
}

/** Locks an entity, so that changes of its endpoints take turns and payments under way see one state of them. */
export async function lockEntity(tx: Tx, entityId: string): Promise<void> {
  await tx`select from service.entities where id = ${entityId} for no key update`;
}

/** Disables an endpoint whose address answered 410; one that was given another address meanwhile stays. */
async function disableGone(sql: Sql, { id, url }: Pick<DueEndpoint, "id" | "url">, now: Date): Promise<void> {
  await sql.begin(async (tx) => {
    const [endpoint] = await tx<{ entity_id: string }[]>`
      select entity_id from service.webhook_endpoints where id = ${id}`;
    if (endpoint === undefined) return;
    await lockEntity(tx, endpoint.entity_id);
    await tx`
      update service.webhook_endpoints set disabled_at = ${now}, disabled_reason = 'gone'
      where id = ${id} and url = ${url} and disabled_at is null`;
    await markSendsEvents(tx, endpoint.entity_id);
  });
}

/**
 * Builds the store from which the sender of webhooks works: due endpoints with their secrets, deliveries to claim,
 * their outcomes, and the disabling of endpoints whose address is gone.
 */
export function deliveryStore(sql: Sql, sealer: Sealer): DeliveryStore<DueEndpoint> {
  return {
    dueEndpoints: (now) => dueEndpoints(sql, now),
    claim: (endpointId, taking, now) => claimDeliveries(sql, endpointId, taking, now),
    record: (outcomes) => recordOutcomes(sql, outcomes),
    secretsOf: async ({ id, sealedSecrets }) => sealedSecrets.map((sealed) => openWebhookSecret(sealer, id, sealed)),
    disableGone: (endpoint, now) => disableGone(sql, endpoint, now),
  };
}
