import type { Sql, Tx } from "../../database/connect.ts";
import type { Sealer } from "../../database/sealer.ts";
import type { DeliveryStore, Endpoint } from "../../webhooks/delivery-store.ts";
import { deliveriesIn, isDue } from "../../webhooks/delivery-table.ts";
import { openWebhookSecret } from "./webhook-secret.ts";

/** An endpoint with a due delivery, and the sealed secrets that sign it. */
interface DueEndpoint extends Endpoint {
  /** Those that sign now, the newest first. */
  readonly sealedSecrets: readonly Uint8Array[];
}

/**
 * The enabled endpoints that have a delivery due now. Each costs one index probe: the index of what waits is in the
 * order that is asked for. With `exists` PostgreSQL may read all that waits and look for its endpoints, and without an
 * order all that was ever sent, where statistics say that one of so many will soon be found.
 */
async function dueEndpoints(sql: Sql, now: Date): Promise<readonly DueEndpoint[]> {
  const rows = await sql<(DueEndpoint & { readonly previousSecretUntil: Date | null })[]>`
    select e.id, e.url, e.sealed_secrets as "sealedSecrets", e.previous_secret_until as "previousSecretUntil"
    from service.webhook_endpoints e
    cross join lateral (
      select from service.webhook_deliveries where endpoint_id = e.id and ${isDue(sql, now)}
      order by next_attempt_at limit 1) due
    where e.disabled_at is null`;
  return rows.map(({ id, url, sealedSecrets, previousSecretUntil }) => {
    const isRotating = previousSecretUntil !== null && previousSecretUntil > now;
    return { id, url, sealedSecrets: isRotating ? sealedSecrets : sealedSecrets.slice(0, 1) };
  });
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
  const keys = { endpointId: "endpoint_id", eventId: "event_id" } as const;
  const table = { name: "service.webhook_deliveries", bodies: "service.events", ...keys } as const;
  return {
    dueEndpoints: (now) => dueEndpoints(sql, now),
    ...deliveriesIn(sql, table),
    secretsOf: async ({ id, sealedSecrets }) => sealedSecrets.map((sealed) => openWebhookSecret(sealer, id, sealed)),
    disableGone: (endpoint, now) => disableGone(sql, endpoint, now),
  };
}
