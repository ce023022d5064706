import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Tx } from "../../database/connect.ts";
import type { ApiCaller } from "../shared/service-context.ts";
import { type ApiClientRecord, readApiClients } from "./read-api-clients.ts";

/**
 * Throws `unauthorized` for a caller whose client was disabled a moment ago, or whose secret was retired, and locks the
 * client so that neither happens until the transaction ends: its token may be valid elsewhere for another minute, but
 * must not create what outlives it.
 */
export async function requireLiveApiClient(tx: Tx, caller: ApiCaller): Promise<void> {
  await tx`select 1 from service.api_clients where id = ${caller.clientId} for share`;
  await liveApiClient(tx, caller);
}

/**
 * Reads the caller's own API client; the calling function must have locked its row. Throws `unauthorized` where the
 * client is disabled or the secret that the token was obtained with was retired.
 */
export async function liveApiClient(tx: Tx, caller: ApiCaller): Promise<ApiClientRecord> {
  const { entityId, clientId, secretId } = caller;
  const [client] = await readApiClients(tx, { entityId, clientId });
  if (client === undefined || client.disabledAt !== null) throw ended("The API client is disabled.");
  if (secretId === undefined || client.secrets.some(({ id }) => id === secretId)) return client;
  throw ended("The secret that the token was obtained with was retired.");
}

function ended(detail: string): ApiError {
  return new ApiError("unauthorized", { detail });
}
