import type * as contract from "../../../src/contract/service/api-clients.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { ORDINARY_SCOPES, SCOPES, type Scope } from "../../../src/contract/shared/scopes.ts";
import type { Tx } from "../../database/connect.ts";
import type { Refusal } from "../../ledger/model/command.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import { apiClientAnswer } from "./api-client-answer.ts";
import { createApiClient as makeApiClient } from "./api-clients.ts";
import { type ApiClientRecord, readApiClients } from "./read-api-clients.ts";
import { scopesBeyond } from "./scopes-beyond.ts";
import { type ApiClientWrite, writeOnce } from "./write-idempotently.ts";

/** Every change locks an entity's live clients, so their number is bounded. */
const MOST_LIVE_CLIENTS = 100;

const tooManyClients: Refusal = {
  code: "api_client_limit",
  detail: `Your entity has ${MOST_LIVE_CLIENTS} API clients that are not disabled: disable one that is not used.`,
};

const noneToGive: Refusal = {
  code: "scope_not_yours",
  detail: "Your client has administration alone, which is given only where scopes names it.",
};

/**
 * The scopes of the new client: those asked for, if the caller's own client has them; else that client's default ones.
 */
function scopesOf(asked: readonly Scope[] | undefined, caller: ApiClientRecord): readonly Scope[] | Refusal {
  if (asked !== undefined) return scopesBeyond(caller, asked) ?? SCOPES.filter((scope) => asked.includes(scope));
  const given = ORDINARY_SCOPES.filter((scope) => caller.scopes.includes(scope));
  return given.length > 0 ? given : noneToGive;
}

async function hasRoom(tx: Tx, entityId: string): Promise<boolean> {
  const [live] = await tx<{ count: bigint }[]>`
    select count(*) from service.api_clients where entity_id = ${entityId} and disabled_at is null`;
  return (live?.count ?? 0n) < MOST_LIVE_CLIENTS;
}

/**
 * Makes an API client of the caller's entity, with no scope that the caller's own client lacks; its secret is in this
 * answer alone.
 */
export function createApiClient(service: ServiceContext): Handler<typeof contract.createApiClient, ApiCaller> {
  const { random: randomBytes } = service;
  return async (call) => {
    const { entityId } = call.principal;
    const write: ApiClientWrite<contract.ApiClientWithSecret> = async (tx, now, caller) => {
      const { name } = call.body;
      const scopes = scopesOf(call.body.scopes, caller);
      if ("code" in scopes) return scopes;
      if (!(await hasRoom(tx, entityId))) return tooManyClients;
      const { clientId, clientSecret } = await makeApiClient(tx, { entityId, name, scopes }, { now, randomBytes });
      const [made] = await readApiClients(tx, { entityId, clientId });
      if (made === undefined) throw new Error("an API client that was just made is not there");
      const kept = { ...apiClientAnswer(made), client_secret: null };
      return { clientId, kept, answer: { ...kept, client_secret: clientSecret } };
    };
    return writeOnce(service, call, { operation: "createApiClient", subject: null, write });
  };
}
