import type * as contract from "../../../src/contract/service/webhooks.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { type PagePart, readPage } from "../../shared/page.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { type WebhookRecord, webhookAnswer, webhookColumns } from "./webhook-answer.ts";

/** Lists the webhooks of the caller's entity, newest first. */
export function webhooks({ sql, clock }: ReadContext): Handler<typeof contract.webhooks, ApiCaller> {
  return async ({ query, principal }) => {
    const read = ({ limit, before }: PagePart) => sql<WebhookRecord[]>`
      select ${webhookColumns(sql)} from service.webhook_endpoints where entity_id = ${principal.entityId}
        ${before === undefined ? sql`` : sql`and id < ${before}`}
      order by id desc limit ${limit}`;
    const { rows, nextCursor } = await readPage(query, read);
    return { body: rows.map((row) => webhookAnswer(row, clock())), nextCursor };
  };
}
