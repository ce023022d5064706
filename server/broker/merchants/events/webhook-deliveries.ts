import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { readPage } from "../../../shared/page.ts";
import { type BrokerContext, takeFromLimit } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { principalLabel } from "../../access/principal.ts";
import { deliveryAnswer, listDeliveries, redeliver } from "./delivery-list.ts";

/** Lists what was sent to a merchant's webhook, what waits and what failed, newest event first. */
export function webhookDeliveries({ sql }: BrokerContext): GatedHandler<"merchant", "webhookDeliveries"> {
  return async ({ principal: { merchantId }, query }) => {
    const which = { merchantId, state: query.state };
    const { rows, nextCursor } = await readPage(query, (part) => listDeliveries(sql, which, part));
    return { body: rows.map(deliveryAnswer), nextCursor };
  };
}

/** Makes an event of a merchant due again, also one that was delivered or failed. */
export function redeliverWebhook(broker: BrokerContext): GatedHandler<"merchant", "redeliverWebhook"> {
  const { sql, clock, audit } = broker;
  return async ({ principal, params, requestId }) => {
    takeFromLimit(broker.sessionLimit, principalLabel(principal));
    const row = await sql.begin(async (tx) => {
      const found = await redeliver(tx, principal.merchantId, params.event_id, clock());
      if (found === undefined) throw new ApiError("not_found", { detail: "No event of the last 30 days has this id." });
      const record = { action: "redeliver webhook", subject: found.id, outcome: found.state };
      await audit(tx, { requestId, principal, ...record });
      return found;
    });
    return { body: deliveryAnswer(row) };
  };
}
