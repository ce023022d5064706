import type { ApiClient } from "../../../src/contract/service/api-clients.ts";
import type { ApiClientRecord } from "./read-api-clients.ts";

/** An API client as the operations answer it. */
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
