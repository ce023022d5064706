import type { Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/webhooks.ts";
import { cutPage, readPage } from "../page.ts";
import type { ApiCaller, ServiceContext } from "../service-context.ts";
import { type WebhookRecord, webhookAnswer, webhookColumns } from "./webhook-answer.ts";

/** Lists the webhooks of the caller's entity, newest first. */
export function webhooks({ sql, clock }: ServiceContext): Handler<typeof contract.webhooks, ApiCaller> {
  return async ({ query, principal }) => {
    const page = readPage(query);
    const found = await sql<WebhookRecord[]>`
      select ${webhookColumns(sql)} from service.webhook_endpoints where entity_id = ${principal.entityId}
        ${page.before === null ? sql`` : sql`and id < ${page.before}`}
      order by id desc limit ${page.limit + 1}`;
    const { rows, nextCursor } = cutPage(found, page);
    return { body: rows.map((row) => webhookAnswer(row, clock())), nextCursor };
  };
}
