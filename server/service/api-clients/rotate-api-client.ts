import type * as contract from "../../../src/contract/service/api-clients.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { Tx } from "../../database/connect.ts";
import type { Refusal } from "../../ledger/model/command.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import { apiClientAnswer } from "./api-client-answer.ts";
import { rotateApiClient as rotate } from "./change-api-client.ts";
import type { ApiClientRecord } from "./read-api-clients.ts";
import { type ApiClientWritten, writeOnce } from "./write-idempotently.ts";

/** Gives a client of the caller's entity a new secret, ends old ones, or both. */
export function rotateApiClient(service: ServiceContext): Handler<typeof contract.rotateApiClient, ApiCaller> {
  const { random: randomBytes } = service;
  return async (call) => {
    const { client_id: clientId, retire = [], new_secret: newSecret = true } = call.body;
    const own = { clientId, entityId: call.principal.entityId };
    const write = async (
      tx: Tx,
      now: Date,
      caller: ApiClientRecord,
    ): Promise<ApiClientWritten<contract.ApiClientWithSecret> | Refusal> => {
      const rotated = await rotate(tx, own, { retire, newSecret, caller }, { now, randomBytes });
      if ("code" in rotated) return rotated;
      const kept = { ...apiClientAnswer(rotated.client), client_secret: null };
      return { clientId, kept, answer: { ...kept, client_secret: rotated.clientSecret } };
    };
    return writeOnce(service, call, { operation: "rotateApiClient", subject: clientId, write });
  };
}
