import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anApiClient, callWith, rotate, secretId, tokenFor } from "../support/api-client-calls.ts";
import { aService, type TestEntity, type TestService } from "../support/service.ts";
import { type RawClient, rawClient, refusalOf } from "../support/service-calls.ts";

const NO_CLIENT = "client_AAAAAAAAAAAAAAAA";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;

beforeAll(async () => {
  service = await aService();
  other = await service.anEntity("Other");
});
beforeEach(async () => {
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
});
afterAll(() => service.stop());

describe("rotate-api-client", () => {
  it("rotates without downtime: both secrets get tokens until the old one is ended", async () => {
    const client = await anApiClient(fintech);
    const second = await rotate(service, fintech, { client_id: client.client_id });
    expect(second.secrets.map(({ id }) => id)).toEqual([client, second].map((each) => secretId(each.client_secret)));
    expect(await tokenFor(service, client)).toBeDefined();
    const oldToken = await tokenFor(service, client);
    expect(await tokenFor(service, { ...client, client_secret: second.client_secret })).toBeDefined();
    const ended = await rotate(service, fintech, {
      client_id: client.client_id,
      retire: [secretId(client.client_secret)],
      new_secret: false,
    });
    expect(ended).toEqual({ ...client, secrets: second.secrets.slice(1), client_secret: null });
    expect(await tokenFor(service, client)).toBeUndefined();
    expect(await tokenFor(service, { ...client, client_secret: second.client_secret })).toBeDefined();
    // A token that was issued stays valid: nothing that runs is cut off.
    expect((await callWith(service, oldToken)).status).toBe(200);
  });

  it("replaces secrets that became known at once, both of them too", async () => {
    const client = await anApiClient(fintech);
    const second = await rotate(service, fintech, { client_id: client.client_id });
    const fresh = await rotate(service, fintech, {
      client_id: client.client_id,
      retire: second.secrets.map(({ id }) => id),
    });
    expect(fresh.secrets.map(({ id }) => id)).toEqual([secretId(fresh.client_secret)]);
    for (const { client_secret } of [client, second]) {
      expect(await tokenFor(service, { ...client, client_secret })).toBeUndefined();
    }
    expect(await tokenFor(service, { ...client, client_secret: fresh.client_secret })).toBeDefined();
  });

  it("lets a client rotate itself", async () => {
    const { client_secret } = await rotate(service, fintech, { client_id: fintech.clientId });
    expect(await tokenFor(service, { client_id: fintech.clientId, client_secret })).toBeDefined();
  });

  it("keeps a refusal for its idempotency key, as every write does", async () => {
    const { client_id, secrets } = await rotate(service, fintech, {
      client_id: (await anApiClient(fintech)).client_id,
    });
    const send = () => raw("rotateApiClient", { body: { client_id }, headers: { "idempotency-key": "third" } });
    expect(await refusalOf(await send())).toEqual(["api_client_secret_limit"]);
    await rotate(service, fintech, { client_id, retire: [secrets[0]?.id ?? ""], new_secret: false });
    const copy = await send();
    expect(copy.headers.get("idempotent-replayed")).toBe("true");
    expect(await refusalOf(copy)).toEqual(["api_client_secret_limit"]);
  });

  it("refuses, in order: a bad body, no client, a disabled one, no live secret, the last, a third", async () => {
    const { client_id } = await anApiClient(fintech);
    const { secrets } = await rotate(service, fintech, { client_id });
    const [old = "", young = ""] = secrets.map(({ id }) => id);
    const send = async (body: object) => refusalOf(await raw("rotateApiClient", { body }));
    expect(await send({})).toEqual(["invalid_request", "/client_id"]);
    for (const wrong of ["", "client_", "client_AAAAAAAAAAAAAAA\u0000", `${client_id}x`, 7]) {
      expect(await send({ client_id: wrong })).toEqual(["invalid_request", "/client_id"]);
    }
    expect(await send({ client_id, retire: [old, young, old] })).toEqual(["invalid_request", "/retire"]);
    expect(await send({ client_id, retire: ["A"], secrets: [] })).toEqual(["invalid_request", "/retire/0", "/secrets"]);
    expect(await send({ client_id: NO_CLIENT, new_secret: false })).toEqual(["invalid_request", ""]);
    expect(await send({ client_id: NO_CLIENT, retire: ["00000000"] })).toEqual(["api_client_not_found"]);
    expect(await send({ client_id: other.clientId, retire: ["00000000"] })).toEqual(["api_client_not_found"]);
    const twice = ["00000000", old];
    expect(await send({ client_id, retire: twice })).toEqual(["api_client_secret_not_found", "/retire/0"]);
    expect(await send({ client_id, retire: [old, young], new_secret: false })).toEqual(["last_api_client_secret"]);
    expect(await send({ client_id })).toEqual(["api_client_secret_limit"]);
    await fintech.client.disableApiClient({ body: { client_id } });
    expect(await send({ client_id, retire: ["00000000"] })).toEqual(["api_client_disabled"]);
  });

  it("says in the refusal of a third secret which two there are, and how to end one", async () => {
    const { client_id } = await anApiClient(fintech);
    const { secrets } = await rotate(service, fintech, { client_id });
    const problem = (await (await raw("rotateApiClient", { body: { client_id } })).json()) as { detail: string };
    const [old, young] = secrets.map(({ id }) => id);
    expect(problem.detail).toContain(`${old} and ${young} (the older one first)`);
    expect(problem.detail).toContain("retire");
  });
});
