import type * as contract from "../../../src/contract/service/webhooks.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { type PagePart, readPage } from "../../shared/page.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { type DeliveryRecord, deliveryAnswer, deliveryColumns, noSuchWebhook } from "./delivery-answer.ts";

/** Lists the deliveries of one of the caller's webhooks, newest event first. */
export function webhookDeliveries({ sql }: ReadContext): Handler<typeof contract.webhookDeliveries, ApiCaller> {
  return async ({ query, principal }) => {
    const { "endpoint-name": name, state } = query;
    const read = async ({ limit, before }: PagePart) => {
      const [endpoint] = await sql<{ id: string }[]>`
        select id from service.webhook_endpoints where entity_id = ${principal.entityId} and name = ${name}`;
      if (endpoint === undefined) throw noSuchWebhook();
      return sql<(DeliveryRecord & { readonly id: string })[]>`
        select d.event_id as id, ${deliveryColumns(sql)}
        from service.webhook_deliveries d join service.events e on e.id = d.event_id
        where d.endpoint_id = ${endpoint.id} ${state === undefined ? sql`` : sql`and d.state = ${state}`}
          ${before === undefined ? sql`` : sql`and d.event_id < ${before}`}
        order by d.event_id desc limit ${limit}`;
    };
    const { rows, nextCursor } = await readPage(query, read);
    return { body: rows.map((row) => deliveryAnswer(row, name)), nextCursor };
  };
}
