import { randomBytes } from "node:crypto";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "../../../src/contract/errors.ts";
import { aTokenWorld, type TokenWorld } from "../../../test/support/a-token-world.ts";
import { matchesApiClientSecret } from "./api-client-secret.ts";
import {
  type ApiClientCredentials,
  disableApiClient,
  type OwnApiClient,
  rotateApiClient,
  verifyApiClientSecret,
} from "./api-clients.ts";

let world: TokenWorld;
beforeAll(async () => {
  world = await aTokenWorld();
});
afterAll(() => world.drop());

const rotate = (own: OwnApiClient) => {
  world.clock.advance(1);
  return world.sql.begin((tx) => rotateApiClient(tx, own, { now: world.clock(), randomBytes }));
};
const disable = (own: OwnApiClient) => world.sql.begin((tx) => disableApiClient(tx, own, world.clock()));
const verify = (credentials: ApiClientCredentials) => verifyApiClientSecret(world.sql, credentials);

describe("an API client", () => {
  it("stands for its entity with its secret, and with no other", async () => {
    const [{ entityId, ...own }, other] = [await world.aClient(), await world.aClient()];
    expect(await verify(own)).toEqual({ clientId: own.clientId, entityId });
    expect(await verify({ ...own, clientSecret: other.clientSecret })).toBeUndefined();
    expect(await verify({ ...own, clientId: other.clientId })).toBeUndefined();
    expect(await verify({ ...own, clientSecret: "" })).toBeUndefined();
  });

  it("has 256 bits of secret, of which the database keeps a hash alone", async () => {
    const { clientId, clientSecret } = await world.aClient();
    expect(Buffer.from(clientSecret.replace("cs_", ""), "base64url")).toHaveLength(32);
    const [row] = await world.sql`
      select row_to_json(client)::text || row_to_json(secret)::text as all_of_it, secret.secret_hash
      from service.api_clients client join service.api_client_secrets secret on client_id = id where id = ${clientId}`;
    expect(row?.all_of_it).not.toContain(clientSecret);
    expect(row?.all_of_it).not.toContain(Buffer.from(clientSecret).toString("hex"));
    expect(row?.secret_hash).toHaveLength(32);
  });

  it("that nobody has is a wrong secret, whatever its id looks like", async () => {
    const { clientSecret } = await world.aClient();
    for (const clientId of ["client_AAAAAAAAAAAAAAAA", "", "\u0000", "client_\u0000", "\ud800", "x".repeat(10_000)]) {
      expect(await verify({ clientId, clientSecret })).toBeUndefined();
    }
  });

  it("rotates without downtime: two secrets live, a third ends the oldest", async () => {
    const client = await world.aClient();
    const second = await rotate(client);
    expect(await verify(client)).toBeDefined();
    expect(await verify(second)).toBeDefined();
    const third = await rotate(client);
    expect(await verify(client)).toBeUndefined();
    expect(await verify(second)).toBeDefined();
    expect(await verify(third)).toBeDefined();
  });

  it("never has more than two live secrets, also when rotated several times at once", async () => {
    const client = await world.aClient();
    await Promise.all([rotate(client), rotate(client), rotate(client), rotate(client)]);
    const live = await world.sql`
      select from service.api_client_secrets where client_id = ${client.clientId} and revoked_at is null`;
    expect(live).toHaveLength(2);
  });

  it("once disabled has no good secret and gets none, and stays disabled since the first time", async () => {
    const client = await world.aClient();
    const second = await rotate(client);
    const since = world.clock();
    await disable(client);
    world.clock.advance(10);
    await disable(client);
    const [row] = await world.sql`select disabled_at from service.api_clients where id = ${client.clientId}`;
    expect(row?.disabled_at).toEqual(since);
    expect(await verify(client)).toBeUndefined();
    expect(await verify(second)).toBeUndefined();
    await expect(rotate(client)).rejects.toThrow(ApiError);
  });

  it("of another entity can be neither rotated nor disabled", async () => {
    const client = await world.aClient();
    const foreign = { clientId: client.clientId, entityId: uuid() };
    await expect(rotate(foreign)).rejects.toMatchObject({ code: "not_found" });
    await expect(disable(foreign)).rejects.toMatchObject({ code: "not_found" });
    expect(await verify(client)).toBeDefined();
  });
});

describe("comparing secrets", () => {
  it("matches no secret when none is stored, nor one that hashes to what stands in for it", () => {
    expect(matchesApiClientSecret("", [])).toBe(false);
    expect(matchesApiClientSecret("x", [new Uint8Array(32)])).toBe(false);
  });
});
