import type { Sql } from "../../../database/connect.ts";
import type { Sealer } from "../../../database/sealer.ts";
import type { DeliveryStore, Endpoint } from "../../../webhooks/delivery-store.ts";
import { deliveriesIn, isDue } from "../../../webhooks/delivery-table.ts";
import { openWebhookSecrets } from "../webhook-secrets.ts";
import { hasWebhook, merchantsWithWebhook } from "./webhook-session.ts";

/** Merchants with a message due now; each costs one look into an index. */
function dueMerchants(sql: Sql, now: Date): Promise<readonly Endpoint[]> {
  return sql<Endpoint[]>`
    select m.id, m.webhook_url as url from ${merchantsWithWebhook(sql)}
    where ${hasWebhook(sql)} and exists (
      select from broker.merchant_events where merchant_id = m.id and ${isDue(sql, now)})`;
}

/**
 * Creates the delivery store of merchant events. A merchant that has no webhook or no secret is sent nothing; one that
 * is disabled still is. An answer 410 is a refusal as any other: only the operator takes a webhook away.
 */
export function merchantOutbox(sql: Sql, sealer: Sealer): DeliveryStore {
  const name = "broker.merchant_events";
  const table = { name, bodies: name, endpointId: "merchant_id", eventId: "id" } as const;
  return {
    dueEndpoints: (now) => dueMerchants(sql, now),
    ...deliveriesIn(sql, table),
    secretsOf: ({ id }) => openWebhookSecrets(sql, sealer, id),
  };
}
