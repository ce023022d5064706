import type * as contract from "../../../src/contract/service/webhooks.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { BodyOf } from "../../../src/contract/shared/operation.ts";
import type { Tx } from "../../database/connect.ts";
import { answerOnce, replyOf, type WriteRefusal } from "../../shared/answer-once.ts";
import { type ApiCaller, originOf, type ServiceContext } from "../shared/service-context.ts";
import { outcomesOf } from "../shared/stored-answer.ts";
import { type DeliveryRecord, deliveryAnswer, deliveryColumns, noSuchWebhook } from "./delivery-answer.ts";

type Body = BodyOf<typeof contract.redeliverWebhook>;
type Delivery = contract.WebhookDelivery;

/** Makes a delivery due now; one that is being sent at this moment is left to the process that sends it. */
async function redeliver(tx: Tx, endpointId: string, body: Body, now: Date): Promise<Delivery | WriteRefusal> {
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

const disabled: WriteRefusal = {
  code: "webhook_disabled",
  detail: "Enable the webhook first: what waits goes out then.",
};

/**
 * Makes an event due again for one of the caller's webhooks, also one that was delivered or failed; copies of a request
 * take turns at the webhook's row.
 */
export function redeliverWebhook(service: ServiceContext): Handler<typeof contract.redeliverWebhook, ApiCaller> {
  const { sql, clock, webhooks } = service;
  return async (call) => {
    const { body } = call;
    const origin = originOf("redeliverWebhook", call);
    const outcome = await sql.begin("isolation level read committed", async (tx) => {
      const now = clock();
      const [endpoint] = await tx<{ id: string; disabled_at: Date | null }[]>`
        select id, disabled_at from service.webhook_endpoints
        where entity_id = ${origin.entityId} and name = ${body.endpoint_name} for no key update`;
      return answerOnce(outcomesOf<Delivery>(tx, origin), { request: origin.idempotency, now }, async () => {
        // Without a row to lock, no answer is kept: it is the same 404 until there is a webhook of that name.
        if (endpoint === undefined) throw noSuchWebhook();
        if (endpoint.disabled_at !== null) return disabled;
        const result = await redeliver(tx, endpoint.id, body, now);
        return "code" in result ? result : { answer: result, kept: result };
      });
    });
    const reply = replyOf(outcome);
    webhooks.wake();
    return reply;
  };
}
