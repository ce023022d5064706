import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiClientWithSecret } from "../../src/contract/service/api-clients.ts";
import { type ServiceContract, serviceContract } from "../../src/contract/service/service.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { ORDINARY_SCOPES, SCOPES, type Scope } from "../../src/contract/shared/scopes.ts";
import { createCupoClient } from "../../src/cupo-client.ts";
import { anApiClient, callWith, rotate, tokenFor } from "../support/api-client-calls.ts";
import { aService, BASE_URL, type TestEntity, type TestService } from "../support/service.ts";
import { problemOf, type RawClient, rawClient, refusalOf } from "../support/service-calls.ts";

const ROWS = Object.entries(serviceContract) as unknown as [keyof ServiceContract, Operation & { scope: Scope }][];

/** The operations of the public interface. */
const INTERFACE: readonly (keyof ServiceContract)[] = [
  ...(["createTransaction", "createPaymentTransaction", "createRechargeTransaction", "transaction"] as const),
  ...(["transactionHistory", "receivedPayments", "transactionSummary", "findTransactionByReference"] as const),
  ...(["createTransactionQr", "createLedgerTransaction", "ledgerTransactionHistory", "user", "createUser"] as const),
  ...(["updateUser", "addQuota", "dischargeQuota", "getTransactionStatistics", "getHarvestStatistics"] as const),
  ...(["getClientStatistics", "getAccountingReport"] as const),
];

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
const tokens = new Map<Scope, string>();

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  for (const scope of SCOPES) tokens.set(scope, await fintech.accessToken(scope));
});
afterAll(() => service.stop());

const as = (token: string | undefined) => ({ authorization: `Bearer ${token}` });

/** A token of that client, as a thief has it. */
async function stolen(client: ApiClientWithSecret, scope?: string) {
  return as(await tokenFor(service, client, scope));
}

describe("the scope of a row", () => {
  it("is one that clients have unasked, for every operation of the interface", () => {
    expect(INTERFACE).toHaveLength(20);
    for (const name of INTERFACE) expect(ORDINARY_SCOPES, name).toContain(serviceContract[name].scope);
  });

  it("is read where nothing is changed, and nowhere else", () => {
    for (const [name, row] of ROWS) expect(row.scope === "read", name).toBe(!row.writes);
  });

  it("is administration for all that says who may do what", () => {
    const administrative = ROWS.filter(([, { scope }]) => scope === "administration").map(([name]) => name);
    for (const name of ["createApiClient", "rotateApiClient", "disableApiClient", "putEntitySettings"] as const) {
      expect(administrative).toContain(name);
    }
    expect(administrative).toEqual(expect.arrayContaining(["putWebhook", "closeMonth"]));
  });

  it.each(ROWS)("of %s is asked of every token, by name", async (name, row) => {
    for (const scope of SCOPES) {
      const response = await raw(name, { headers: as(tokens.get(scope)), body: {} });
      if (scope === row.scope) {
        expect(response.status).not.toBe(403);
        continue;
      }
      expect(response.headers.get("www-authenticate")).toBe(
        `Bearer realm="cupo", error="insufficient_scope", scope="${row.scope}"`,
      );
      const { code, detail } = await problemOf(response);
      expect([response.status, code, detail]).toEqual([403, "insufficient_scope", expect.stringContaining(row.scope)]);
    }
  });
});

describe("quota that a user begins with", () => {
  it("takes the scope quota besides users", async () => {
    const person = { name: "Ana", nit: "scopes-1", phone: "+573007770001" };
    const create = async (scope: string, quota: number) =>
      raw("createUser", { headers: as(await fintech.accessToken(scope)), body: { ...person, quota } });
    expect(await refusalOf(await create("users", 5))).toEqual(["insufficient_scope"]);
    expect((await create("users", 0)).status).toBe(201);
    const other = { ...person, nit: "scopes-2", phone: "+573007770002", quota: 5 };
    const both = as(await fintech.accessToken("users quota"));
    expect((await raw("createUser", { headers: both, body: other })).status).toBe(201);
  });
});

describe("a token without read", () => {
  it("is told of a user that it changes who that is, and no more, also in a repeated answer", async () => {
    const { body: user } = await fintech.client.createUser({
      body: { name: "Ana", business_name: "A", nit: "scopes-9", phone: "+573007770009", quota: 5, score: 3 },
    });
    const { id } = user;
    const users = as(tokens.get("users"));
    const told = { ...user, ...{ nit: null, phone: null, quota: null, quota_available: null, score: null } };
    const { apn_token: _, suggested_status: __, ...withheld } = { ...told, payment_data: null, history: [] };
    for (const name of ["updateUser", "unblockUser"] as const) {
      expect(await (await raw(name, { headers: users, body: { id } })).json()).toEqual(withheld);
    }
    const blocking = { body: { id }, headers: { "idempotency-key": "block" } };
    const whole = await (await raw("blockUser", blocking)).json();
    expect(whole).toMatchObject({ nit: "SCOPES9", quota: 5, blocked: true });
    const again = await raw("blockUser", { ...blocking, headers: { ...blocking.headers, ...users } });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await again.json()).toEqual({ ...withheld, blocked: true });
    const both = as(await fintech.accessToken("users read"));
    expect(await (await raw("unblockUser", { headers: both, body: { id } })).json()).toMatchObject({ quota: 5 });
  });
});

describe("a client that is made", () => {
  it("has what its maker has but administration, or the scopes that are named", async () => {
    const made = async (body: object) =>
      ((await (await raw("createApiClient", { body: { name: "New", ...body } })).json()) as ApiClientWithSecret).scopes;
    expect(await made({})).toEqual(ORDINARY_SCOPES);
    expect(await made({ scopes: ["administration", "read", "read"] })).toEqual(["read", "administration"]);
    for (const scopes of [[], ["everything"], "read", ["read", 7]]) {
      const [code] = await refusalOf(await raw("createApiClient", { body: { name: "New", scopes } }));
      expect(code).toBe("invalid_request");
    }
  });

  it("has no scope that its maker lacks, which makes and re-keys nobody who may do more", async () => {
    const entity = await service.anEntity();
    const clerk = await anApiClient(entity, "Clerk", ["read", "administration"]);
    const headers = await stolen(clerk, "administration");
    const send = async (name: "createApiClient" | "rotateApiClient", body: object) =>
      (await rawClient(service, entity))(name, { headers, body });
    const beyond = await send("createApiClient", { name: "More", scopes: ["read", "pay", "administration"] });
    expect(await refusalOf(beyond)).toEqual(["scope_not_yours", "/scopes/1"]);
    expect(await refusalOf(await send("rotateApiClient", { client_id: entity.clientId }))).toEqual(["scope_not_yours"]);
    expect(await (await send("createApiClient", { name: "Like me" })).json()).toMatchObject({ scopes: ["read"] });
    expect((await send("rotateApiClient", { client_id: clerk.client_id })).status).toBe(200);
    const janitor = await stolen(await anApiClient(entity, "Janitor", ["administration"]), "administration");
    const unnamed = await (await rawClient(service, entity))("createApiClient", {
      headers: janitor,
      body: { name: "None" },
    });
    expect(await refusalOf(unnamed)).toEqual(["scope_not_yours"]);
  });

  it("is refused anew for the same key: a refusal of rights is not kept", async () => {
    const entity = await service.anEntity();
    const call = await rawClient(service, entity);
    const clerk = await anApiClient(entity, "Clerk", ["read", "administration"]);
    const headers = { ...(await stolen(clerk, "administration")), "idempotency-key": "rights" };
    const send = () => call("createApiClient", { headers, body: { name: "More", scopes: ["pay"] } });
    for (const response of [await send(), await send()]) {
      expect(response.headers.get("idempotent-replayed")).toBeNull();
      expect(await refusalOf(response)).toEqual(["scope_not_yours", "/scopes/0"]);
    }
  });
});

describe("a token that leaked", () => {
  it("gives nobody access: what every call carries makes no client, secret, webhook or setting", async () => {
    const entity = await service.anEntity();
    const client = await anApiClient(entity);
    const headers = await stolen(client);
    const call = await rawClient(service, entity);
    const attempts = [
      call("createApiClient", { headers, body: { name: "Mine" } }),
      call("rotateApiClient", { headers, body: { client_id: client.client_id } }),
      call("disableApiClient", { headers, body: { client_id: entity.clientId } }),
      call("putWebhook", { headers, params: { name: "mine" }, body: { url: "https://thief.example/" } }),
      call("putEntitySettings", { headers, body: { payment_limit: null } }),
    ];
    for (const response of await Promise.all(attempts)) {
      expect(await refusalOf(response)).toEqual(["insufficient_scope"]);
    }
  });

  it("ends within a minute of its secret's retirement, and meanwhile leaves nothing behind", async () => {
    const entity = await service.anEntity();
    const client = await anApiClient(entity);
    const [ordinary, administration] = [await stolen(client), await stolen(client, "administration")];
    const { client_secret } = await rotate(service, entity, {
      client_id: client.client_id,
      retire: client.secrets.map(({ id }) => id),
    });
    const call = await rawClient(service, entity);
    const late = await call("createApiClient", { headers: administration, body: { name: "Outlives it" } });
    expect(await refusalOf(late)).toEqual(["unauthorized"]);
    const webhook = { params: { name: "late" }, body: { url: "https://thief.example/" } };
    expect(await refusalOf(await call("putWebhook", { headers: administration, ...webhook }))).toEqual([
      "unauthorized",
    ]);
    service.advance(59);
    expect(await refusalOf(await call("apiClients", { headers: ordinary }))).toEqual(["unauthorized"]);
    const fresh = await tokenFor(service, { ...client, client_secret });
    expect((await callWith(service, fresh)).status).toBe(200);
  });
});

describe("the client library", () => {
  it("asks for administration by name, when it is first needed", async () => {
    const scopes: (string | undefined)[] = [];
    const cupo = createCupoClient({
      baseUrl: BASE_URL,
      clientId: fintech.clientId,
      clientSecret: fintech.clientSecret,
      fetch: (input, init) => {
        if (String(input).endsWith("/oauth2/token")) scopes.push(JSON.parse(String(init?.body)).scope);
        return service.fetch(input, init);
      },
    });
    await cupo.users({ query: {} });
    expect(scopes).toEqual([undefined]);
    await cupo.putEntitySettings({ body: { payment_limit: 5 } });
    await cupo.putEntitySettings({ body: { payment_limit: null } });
    await cupo.users({ query: {} });
    expect(scopes).toEqual([undefined, "administration"]);
  });
});
