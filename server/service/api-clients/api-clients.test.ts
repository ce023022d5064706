import { randomBytes } from "node:crypto";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../../src/contract/shared/scopes.ts";
import { aTokenFixture, type TokenFixture } from "../../../test/support/token-fixture.ts";
import { apiClientSecretId, hashApiClientSecret, matchingSecretId } from "./api-client-secret.ts";
import { type ApiClientCredentials, verifyApiClientSecret } from "./api-clients.ts";
import {
  disableApiClient,
  type EntityApiClient,
  type RotatedApiClient,
  type Rotation,
  rotateApiClient,
} from "./change-api-client.ts";

let fixture: TokenFixture;
beforeAll(async () => {
  fixture = await aTokenFixture();
});
afterAll(() => fixture.drop());

const ADD: Rotation = { retire: [], newSecret: true };

const rotate = (own: EntityApiClient, rotation = ADD) => {
  fixture.clock.advance(1);
  return fixture.sql.begin((tx) => rotateApiClient(tx, own, rotation, { now: fixture.clock(), randomBytes }));
};

/** A rotation that must succeed, as the credentials that it left. */
async function rotated(own: EntityApiClient, rotation = ADD): Promise<ApiClientCredentials & RotatedApiClient> {
  const result = await rotate(own, rotation);
  if ("code" in result) throw new Error(result.code);
  return { ...result, clientId: own.clientId, clientSecret: result.clientSecret ?? "" };
}
const disable = (own: EntityApiClient) => fixture.sql.begin((tx) => disableApiClient(tx, own, fixture.clock()));
const verify = (credentials: ApiClientCredentials) => verifyApiClientSecret(fixture.sql, credentials);

describe("an API client", () => {
  it("stands for its entity with its secret, and with no other", async () => {
    const [{ entityId, ...own }, other] = [await fixture.aClient(), await fixture.aClient()];
    const secretId = apiClientSecretId(hashApiClientSecret(own.clientSecret));
    expect(await verify(own)).toEqual({ clientId: own.clientId, entityId, scopes: SCOPES, secretId });
    expect(await verify({ ...own, clientSecret: other.clientSecret })).toBeUndefined();
    expect(await verify({ ...own, clientId: other.clientId })).toBeUndefined();
    expect(await verify({ ...own, clientSecret: "" })).toBeUndefined();
  });

  it("has 256 bits of secret, of which the database keeps a hash alone", async () => {
    const { clientId, clientSecret } = await fixture.aClient();
    expect(Buffer.from(clientSecret.replace("cs_", ""), "base64url")).toHaveLength(32);
    const [row] = await fixture.sql`
      select row_to_json(client)::text || row_to_json(secret)::text as all_of_it, secret.secret_hash
      from service.api_clients client join service.api_client_secrets secret on client_id = id where id = ${clientId}`;
    expect(row?.all_of_it).not.toContain(clientSecret);
    expect(row?.all_of_it).not.toContain(Buffer.from(clientSecret).toString("hex"));
    expect(row?.secret_hash).toHaveLength(32);
  });

  it("that nobody has is a wrong secret, whatever its id looks like", async () => {
    const { clientSecret } = await fixture.aClient();
    for (const clientId of ["client_AAAAAAAAAAAAAAAA", "", "\u0000", "client_\u0000", "\ud800", "x".repeat(10_000)]) {
      expect(await verify({ clientId, clientSecret })).toBeUndefined();
    }
  });

  it("rotates without downtime: two secrets live until the old one is ended, and a third is refused", async () => {
    const client = await fixture.aClient();
    const second = await rotated(client);
    const [old] = second.client.secrets;
    expect(await verify(client)).toBeDefined();
    expect(await verify(second)).toBeDefined();
    expect(await rotate(client)).toMatchObject({ code: "api_client_secret_limit" });
    const finished = await rotated(client, { retire: [old?.id ?? ""], newSecret: false });
    expect(finished.client.secrets).toHaveLength(1);
    expect(await verify(client)).toBeUndefined();
    expect(await verify(second)).toBeDefined();
  });

  it("never has more than two live secrets, also when rotated several times at once", async () => {
    const client = await fixture.aClient();
    const results = await Promise.all([rotate(client), rotate(client), rotate(client), rotate(client)]);
    expect(results.filter((result) => "code" in result)).toHaveLength(3);
    const live = await fixture.sql`
      select from service.api_client_secrets where client_id = ${client.clientId} and revoked_at is null`;
    expect(live).toHaveLength(2);
  });

  it("keeps one of two secrets when each is ended at once", async () => {
    const client = await fixture.aClient();
    const { client: both } = await rotated(client);
    const end = ({ id }: { readonly id: string }) => rotate(client, { retire: [id], newSecret: false });
    const results = await Promise.all(both.secrets.map(end));
    expect(results.filter((result) => "code" in result)).toMatchObject([{ code: "last_api_client_secret" }]);
  });

  it("once disabled has no good secret and gets none, and stays disabled since the first time", async () => {
    const client = await fixture.aClient();
    const second = await rotated(client);
    const since = fixture.clock();
    await disable(client);
    fixture.clock.advance(10);
    expect(await disable(client)).toMatchObject({ disabledAt: since, secrets: [] });
    expect(await verify(client)).toBeUndefined();
    expect(await verify(second)).toBeUndefined();
    expect(await rotate(client)).toMatchObject({ code: "api_client_disabled" });
  });

  it("of another entity can be neither rotated nor disabled", async () => {
    const client = await fixture.aClient();
    const foreign = { clientId: client.clientId, entityId: uuid() };
    expect(await rotate(foreign)).toMatchObject({ code: "api_client_not_found" });
    expect(await disable(foreign)).toMatchObject({ code: "api_client_not_found" });
    expect(await verify(client)).toBeDefined();
  });
});

describe("comparing secrets", () => {
  it("matches no secret when none is stored, nor one that hashes to what stands in for it", () => {
    expect(matchingSecretId("", [])).toBeUndefined();
    expect(matchingSecretId("x", [new Uint8Array(32)])).toBeUndefined();
  });
});
