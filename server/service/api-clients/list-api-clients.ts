import type * as contract from "../../../src/contract/service/api-clients.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { type PagePart, readPage } from "../../shared/page.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { apiClientAnswer } from "./api-client-answer.ts";
import { CLIENT_ID } from "./api-clients.ts";
import { readApiClients } from "./read-api-clients.ts";

/** Lists the API clients of the caller's entity, newest first, without any secret. */
export function apiClients({ sql }: ReadContext): Handler<typeof contract.apiClients, ApiCaller> {
  return async ({ query, principal: { entityId } }) => {
    const read = async ({ limit, before }: PagePart) => {
      const clients = await readApiClients(sql, { entityId, after: before, limit });
      return clients.map((client) => ({ ...client, id: client.clientId }));
    };
    const { rows, nextCursor } = await readPage(query, read, CLIENT_ID);
    return { body: rows.map(apiClientAnswer), nextCursor };
  };
}
