import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { ApiClientWithSecret } from "../../src/contract/service/api-clients.ts";
import { SCOPES, type Scope } from "../../src/contract/shared/scopes.ts";
import { BASE_URL, type TestEntity, type TestService } from "./service.ts";

/** Asks for a token, with the scopes that are named; undefined where the credentials are refused. */
export async function tokenFor(
  service: TestService,
  { client_id, client_secret }: Pick<ApiClientWithSecret, "client_id" | "client_secret">,
  scope?: string,
): Promise<string | undefined> {
  const response = await service.fetch(`${BASE_URL}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id, client_secret: client_secret ?? "", scope }),
  });
  if (response.status === 401) return undefined;
  expect(response.status).toBe(200);
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Calls a harmless operation with a token. */
export function callWith(service: TestService, token: string | undefined): Promise<Response> {
  return service.fetch(`${BASE_URL}/api-clients`, { headers: { authorization: `Bearer ${token}` } });
}

/** A secret's id, as its holder finds it. */
export function secretId(clientSecret: string | null): string {
  return createHash("sha256")
    .update(clientSecret ?? "")
    .digest("hex")
    .slice(0, 8);
}

/** A new API client of an entity, with every scope unless some are named. */
export async function anApiClient(
  entity: TestEntity,
  name = "Second",
  scopes: readonly Scope[] = SCOPES,
): Promise<ApiClientWithSecret> {
  return (await entity.client.createApiClient({ body: { name, scopes: [...scopes] } })).body;
}

/** Rotates a client's secrets one second later. */
export async function rotate(
  service: TestService,
  entity: TestEntity,
  { client_id, ...more }: { readonly client_id: string; readonly retire?: string[]; readonly new_secret?: boolean },
): Promise<ApiClientWithSecret> {
  service.advance(1);
  return (await entity.client.rotateApiClient({ body: { client_id, ...more } })).body;
}
