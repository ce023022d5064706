import type * as contract from "../../../src/contract/service/api-clients.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import { apiClientAnswer } from "./api-client-answer.ts";
import { rotateApiClient as rotate } from "./change-api-client.ts";
import { type ApiClientWrite, writeOnce } from "./write-idempotently.ts";

/** Gives a client of the caller's entity a new secret, ends old ones, or both. */
export function rotateApiClient(service: ServiceContext): Handler<typeof contract.rotateApiClient, ApiCaller> {
  const { random: randomBytes } = service;
  return async (call) => {
    const { client_id: clientId, retire = [], new_secret: newSecret = true } = call.body;
    const own = { clientId, entityId: call.principal.entityId };
    const write: ApiClientWrite<contract.ApiClientWithSecret> = async (tx, now, caller) => {
      const rotated = await rotate(tx, own, { retire, newSecret, caller }, { now, randomBytes });
      if ("code" in rotated) return rotated;
      const kept = { ...apiClientAnswer(rotated.client), client_secret: null };
      return { clientId, kept, answer: { ...kept, client_secret: rotated.clientSecret } };
    };
    return writeOnce(service, call, { operation: "rotateApiClient", subject: clientId, write });
  };
}
