import type * as contract from "../../../src/contract/service/webhooks.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { cutPage, readPage } from "../shared/page.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import { type DeliveryRecord, deliveryAnswer, deliveryColumns, noSuchWebhook } from "./delivery-answer.ts";

/** Lists the deliveries of one of the caller's webhooks, newest event first. */
export function webhookDeliveries({ sql }: ServiceContext): Handler<typeof contract.webhookDeliveries, ApiCaller> {
  return async ({ query, principal }) => {
    const page = readPage(query);
    const { "endpoint-name": name, state } = query;
    const [endpoint] = await sql<{ id: string }[]>`
      select id from service.webhook_endpoints where entity_id = ${principal.entityId} and name = ${name}`;
    if (endpoint === undefined) throw noSuchWebhook();
    const found = await sql<(DeliveryRecord & { readonly id: string })[]>`
      select d.event_id as id, ${deliveryColumns(sql)}
      from service.webhook_deliveries d join service.events e on e.id = d.event_id
      where d.endpoint_id = ${endpoint.id} ${state === undefined ? sql`` : sql`and d.state = ${state}`}
        ${page.before === null ? sql`` : sql`and d.event_id < ${page.before}`}
      order by d.event_id desc limit ${page.limit + 1}`;
    const { rows, nextCursor } = cutPage(found, page);
    return { body: rows.map((row) => deliveryAnswer(row, name)), nextCursor };
  };
}
