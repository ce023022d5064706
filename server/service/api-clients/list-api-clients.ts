import type * as contract from "../../../src/contract/service/api-clients.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { cutPage, readPage } from "../shared/page.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import { apiClientAnswer } from "./api-client-answer.ts";
import { CLIENT_ID } from "./api-clients.ts";
import { readApiClients } from "./read-api-clients.ts";

/** A client id in place of the UUID that other lists' cursors hold. */
function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const after = Buffer.from(cursor, "base64url").toString("latin1");
  if (CLIENT_ID.test(after)) return after;
  throw new ApiError("invalid_cursor", { detail: "Take the cursor from the Link header of the page before." });
}

/** Lists the caller's API clients, newest first, without any secret. */
export function apiClients({ sql }: ServiceContext): Handler<typeof contract.apiClients, ApiCaller> {
  return async ({ query, principal }) => {
    const after = readCursor(query.cursor);
    const page = readPage({ limit: query.limit });
    const clients = await readApiClients(sql, { entityId: principal.entityId, after, limit: page.limit + 1 });
    const { rows, nextCursor } = cutPage(
      clients.map((client) => ({ ...client, id: client.clientId })),
      page,
    );
    return { body: rows.map(apiClientAnswer), nextCursor };
  };
}
