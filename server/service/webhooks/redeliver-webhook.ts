import type * as contract from "../../../src/contract/service/webhooks.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { BodyOf } from "../../../src/contract/shared/operation.ts";
import type { Tx } from "../../database/connect.ts";
import type { Origin, Refusal } from "../../ledger/model/command.ts";
import { type ApiCaller, originOf, type ServiceContext } from "../shared/service-context.ts";
import { findKeptAnswer, keepAnswer } from "../shared/stored-answer.ts";
import { type DeliveryRecord, deliveryAnswer, deliveryColumns, noSuchWebhook } from "./delivery-answer.ts";

type Body = BodyOf<typeof contract.redeliverWebhook>;
type Delivery = contract.WebhookDelivery;

interface Outcome {
  readonly result: Delivery | Refusal;
  readonly replayed: boolean;
}

/** Makes a delivery due now; one that is being sent at this moment is left to the process that sends it. */
async function redeliver(tx: Tx, endpointId: string, body: Body, now: Date): Promise<Delivery | Refusal> {
  const { event_id: eventId, endpoint_name: name } = body;
  await tx`
    update service.webhook_deliveries
    set state = 'waiting', next_attempt_at = ${now}, first_attempt_at = null, delivered_at = null
    where endpoint_id = ${endpointId} and event_id = ${eventId} and (leased_until is null or leased_until <= ${now})`;
  const [found] = await tx<DeliveryRecord[]>`
    select ${deliveryColumns(tx)} from service.webhook_deliveries d join service.events e on e.id = d.event_id
    where d.endpoint_id = ${endpointId} and d.event_id = ${eventId}`;
  if (found !== undefined) return deliveryAnswer(found, name);
  return { code: "webhook_delivery_not_found", detail: "That webhook has no delivery of an event with that id." };
}

/** One database transaction; copies of a request take turns at the webhook's row. */
async function carryOut(tx: Tx, origin: Origin, body: Body, now: Date): Promise<Outcome> {
  const [endpoint] = await tx<{ id: string; disabled_at: Date | null }[]>`
    select id, disabled_at from service.webhook_endpoints
    where entity_id = ${origin.entityId} and name = ${body.endpoint_name} for no key update`;
  const kept = await findKeptAnswer(tx, origin);
  if (kept !== undefined) {
    return { result: JSON.parse("body" in kept ? kept.body : kept.refusal) as Delivery | Refusal, replayed: true };
  }
  // Without a row to lock, no answer is kept: it is the same 404 until there is a webhook of that name.
  if (endpoint === undefined) throw noSuchWebhook();
  const disabled: Refusal = { code: "webhook_disabled", detail: "Enable the webhook first: what waits goes out then." };
  const result = endpoint.disabled_at === null ? await redeliver(tx, endpoint.id, body, now) : disabled;
  await keepAnswer(
    tx,
    origin,
    "code" in result ? { refusal: JSON.stringify(result) } : { body: JSON.stringify(result) },
    now,
  );
  return { result, replayed: false };
}

/** Sends an event to one of the caller's webhooks again. */
export function redeliverWebhook(service: ServiceContext): Handler<typeof contract.redeliverWebhook, ApiCaller> {
  const { sql, clock, webhooks } = service;
  return async (call) => {
    const origin = originOf("redeliverWebhook", call);
    const { result, replayed } = await sql.begin("isolation level read committed", (tx) =>
      carryOut(tx, origin, call.body, clock()),
    );
    if ("code" in result) throw new ApiError(result.code, { detail: result.detail, replayed });
    webhooks.wake();
    return { body: result, replayed };
  };
}
