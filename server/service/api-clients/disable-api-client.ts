import type * as contract from "../../../src/contract/service/api-clients.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { Tx } from "../../database/connect.ts";
import type { Refusal } from "../../ledger/model/command.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import { apiClientAnswer } from "./api-client-answer.ts";
import { disableApiClient as disable, type EntityApiClient } from "./change-api-client.ts";
import { type ApiClientWrite, writeOnce } from "./write-idempotently.ts";

const lastClient: Refusal = {
  code: "last_api_client",
  detail: "It is the last API client of your entity: make its successor first.",
};

async function isLastLive(tx: Tx, { entityId, clientId }: EntityApiClient): Promise<boolean> {
  const live = await tx<{ id: string }[]>`
    select id from service.api_clients where entity_id = ${entityId} and disabled_at is null limit 2`;
  return live.length === 1 && live[0]?.id === clientId;
}

/** Disables an API client of the caller's entity for good; refused for the last one that is not disabled. */
export function disableApiClient(service: ServiceContext): Handler<typeof contract.disableApiClient, ApiCaller> {
  return async (call) => {
    const { client_id: clientId } = call.body;
    const own = { clientId, entityId: call.principal.entityId };
    const write: ApiClientWrite<contract.ApiClient> = async (tx, now) => {
      if (await isLastLive(tx, own)) return lastClient;
      const disabled = await disable(tx, own, now);
      if ("code" in disabled) return disabled;
      const answer = apiClientAnswer(disabled);
      return { clientId, answer, kept: answer };
    };
    return writeOnce(service, call, { operation: "disableApiClient", subject: clientId, write });
  };
}
