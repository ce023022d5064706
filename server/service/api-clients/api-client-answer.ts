import type { ApiClient } from "../../../src/contract/service/api-clients.ts";
import type { ApiClientRecord } from "./read-api-clients.ts";

/** Builds the answer of an API client: each of its live secrets by id and time of creation, never the secret itself. */
export function apiClientAnswer({
  clientId,
  name,
  scopes,
  createdAt,
  disabledAt,
  secrets,
}: ApiClientRecord): ApiClient {
  return {
    client_id: clientId,
    name,
    scopes: [...scopes],
    created_at: createdAt.toISOString(),
    disabled_at: disabledAt?.toISOString() ?? null,
    secrets: secrets.map((secret) => ({ id: secret.id, created_at: secret.createdAt.toISOString() })),
  };
}
