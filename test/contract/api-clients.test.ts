import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ApiClientWithSecret } from "../../src/contract/service/api-clients.ts";
import { anApiClient, callWith, rotate, secretId, tokenFor } from "../support/api-client-calls.ts";
import { aService, type TestEntity, type TestService } from "../support/service.ts";
import { type RawClient, rawClient, refusalOf, times } from "../support/service-calls.ts";

const CLIENT_ID = /^client_[\w-]{16}$/;
const SECRET = /^cs_[\w-]{43}$/;
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

const disable = (clientId: string) => fintech.client.disableApiClient({ body: { client_id: clientId } });

describe("create-api-client", () => {
  it("makes a client of the caller's entity, whose secret gets tokens at once", async () => {
    const { body: made, status } = await fintech.client.createApiClient({ body: { name: "Caja 3 – Medellín" } });
    expect(status).toBe(201);
    expect(made).toEqual({
      client_id: expect.stringMatching(CLIENT_ID),
      client_secret: expect.stringMatching(SECRET),
      name: "Caja 3 – Medellín",
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      disabled_at: null,
      scopes: ["read", "pay", "users", "quota"],
      secrets: [{ id: secretId(made.client_secret), created_at: made.created_at }],
    });
    const token = await tokenFor(service, made);
    const listed = (await (await callWith(service, token)).json()) as { client_id: string }[];
    expect(listed.map((each) => each.client_id)).toContain(fintech.clientId);
  });

  it("shows the secret in no other answer, keeps it nowhere, and lets no cache keep it", async () => {
    const response = await raw("createApiClient", { body: { name: "Once" }, headers: { "idempotency-key": "once" } });
    expect(response.headers.get("cache-control")).toBe("no-store");
    const { client_id, client_secret } = (await response.json()) as ApiClientWithSecret;
    const secret = client_secret ?? "";
    expect(secret).toMatch(SECRET);
    const tables = await service.sql<{ text: string }[]>`
      select query_to_xml('select * from service.' || quote_ident(table_name), true, false, '')::text as text
      from information_schema.tables where table_schema = 'service'`;
    const dump = tables.map(({ text }) => text).join("");
    expect(dump).toContain(client_id);
    for (const form of [secret, secret.slice(3), Buffer.from(secret).toString("base64").slice(0, 40)]) {
      expect(dump).not.toContain(form);
    }
    expect(await (await raw("apiClients")).text()).not.toContain(secret);
  });

  it("is carried out once for an idempotency key; the copy is told all but the secret", async () => {
    const send = () => raw("createApiClient", { body: { name: "Key" }, headers: { "idempotency-key": "k" } });
    const answers = await Promise.all(times(10, send));
    const bodies = await Promise.all(answers.map(async (answer) => (await answer.json()) as ApiClientWithSecret));
    const shown = bodies.filter(({ client_secret }) => client_secret !== null);
    expect(shown).toHaveLength(1);
    for (const [index, body] of bodies.entries()) {
      const isFirst = body.client_secret !== null;
      expect(answers[index]?.headers.get("idempotent-replayed")).toBe(isFirst ? null : "true");
      expect(body).toEqual(isFirst ? body : { ...shown[0], client_secret: null });
    }
    const { body: listed } = await fintech.client.apiClients({ query: {} });
    expect(listed).toHaveLength(2);
    // The secret that got lost is replaced, and the client is as good as new.
    const [lost] = bodies[0]?.secrets ?? [];
    const again = await rotate(service, fintech, { client_id: bodies[0]?.client_id ?? "", retire: [lost?.id ?? ""] });
    expect(again.secrets).toHaveLength(1);
    expect(await tokenFor(service, again)).toBeDefined();
  });

  it("refuses, in order: a bad body, a reused key, and more than 100 clients that live", async () => {
    const key = { "idempotency-key": "order" };
    const send = (body: object, headers: Record<string, string> = {}) => raw("createApiClient", { body, headers });
    expect(await refusalOf(await send({}))).toEqual(["invalid_request", "/name"]);
    expect(await refusalOf(await send({ name: " " }))).toEqual(["invalid_request", "/name"]);
    expect(await refusalOf(await send({ name: "n".repeat(101) }))).toEqual(["invalid_request", "/name"]);
    const more = { name: "x", client_secret: "mine", entity_id: other.entityId };
    expect(await refusalOf(await send(more))).toEqual(["invalid_request", "/client_secret", "/entity_id"]);
    expect((await send({ name: "First" }, key)).status).toBe(201);
    const made = await Promise.all(times(105, (index) => send({ name: `${index}` })));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(98);
    expect(await refusalOf(await send({ name: "One more" }))).toEqual(["api_client_limit"]);
    expect(await refusalOf(await send({ name: "Second" }, key))).toEqual(["idempotency_key_reused"]);
    const [newest] = (await fintech.client.apiClients({ query: {} })).body;
    await disable(newest?.client_id ?? "");
    expect((await send({ name: "Room again" })).status).toBe(201);
  });
});

describe("disable-api-client", () => {
  it("gives no more tokens at once, and refuses those that there are within one minute", async () => {
    const client = await anApiClient(fintech);
    const token = await tokenFor(service, client);
    expect((await callWith(service, token)).status).toBe(200);
    const { body: disabled } = await disable(client.client_id);
    expect(disabled).toMatchObject({ client_id: client.client_id, disabled_at: expect.any(String), secrets: [] });
    expect(disabled).not.toHaveProperty("client_secret");
    expect(await tokenFor(service, client)).toBeUndefined();
    service.advance(59);
    const response = await callWith(service, token);
    expect(await refusalOf(response)).toEqual(["unauthorized"]);
  });

  it("lets a disabled client make, rotate and disable no client, even in its last minute", async () => {
    const { client_id, client_secret } = await anApiClient(fintech);
    const token = await tokenFor(service, { client_id, client_secret }, "read administration");
    expect((await callWith(service, token)).status).toBe(200);
    await disable(client_id);
    const headers = { authorization: `Bearer ${token}`, "idempotency-key": "late" };
    const bodies = {
      createApiClient: { name: "Outlives it" },
      rotateApiClient: { client_id: fintech.clientId },
      disableApiClient: { client_id: fintech.clientId },
    } as const;
    for (const [name, body] of Object.entries(bodies)) {
      expect(await refusalOf(await raw(name as keyof typeof bodies, { body, headers }))).toEqual(["unauthorized"]);
    }
    expect((await fintech.client.apiClients({ query: {} })).body).toHaveLength(2);
  });

  it("answers the first time again for one that is disabled already", async () => {
    const { client_id } = await anApiClient(fintech);
    const { body: first } = await disable(client_id);
    service.advance(5);
    expect((await disable(client_id)).body).toEqual(first);
  });

  it("refuses, in order: a bad body, no client of yours, and the entity's last one", async () => {
    const send = async (body: object) => refusalOf(await raw("disableApiClient", { body }));
    expect(await send({ client_id: "x" })).toEqual(["invalid_request", "/client_id"]);
    expect(await send({ client_id: NO_CLIENT })).toEqual(["api_client_not_found"]);
    expect(await send({ client_id: other.clientId })).toEqual(["api_client_not_found"]);
    expect(await send({ client_id: fintech.clientId })).toEqual(["last_api_client"]);
    await expect(other.client.apiClients({ query: {} })).resolves.toMatchObject({ body: [{ disabled_at: null }] });
  });

  it("lets a client disable itself where another one is left", async () => {
    await anApiClient(fintech);
    expect((await disable(fintech.clientId)).body.disabled_at).not.toBeNull();
  });

  it("leaves one of two that each disable themselves, or each other, at the same instant", async () => {
    for (const isSelf of [true, false]) {
      const entity = await service.anEntity();
      const second = await anApiClient(entity);
      const token = await tokenFor(service, second, "administration");
      const call = await rawClient(service, entity);
      const targets = isSelf ? [entity.clientId, second.client_id] : [second.client_id, entity.clientId];
      const answers = await Promise.all([
        call("disableApiClient", { body: { client_id: targets[0] } }),
        call("disableApiClient", { body: { client_id: targets[1] }, headers: { authorization: `Bearer ${token}` } }),
      ]);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(1);
      for (const answer of refused) {
        expect(await refusalOf(answer)).toEqual([isSelf ? "last_api_client" : "unauthorized"]);
      }
    }
  });
});

describe("api-clients", () => {
  it("lists those of the calling entity alone, newest first, page by page", async () => {
    const made: string[] = [fintech.clientId];
    for (const name of ["A", "B", "C", "D"]) {
      service.advance(1);
      made.unshift((await anApiClient(fintech, name)).client_id);
    }
    const seen: string[] = [];
    let search: string | undefined = "limit=2";
    while (search !== undefined) {
      const response = await raw("apiClients", { query: search });
      const page = (await response.json()) as { client_id: string }[];
      seen.push(...page.map((each) => each.client_id));
      search = /\?([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      // A client that is created between two pages is neither listed nor pushes another onto the next page.
      if (page.length > 0) await anApiClient(fintech, "Meanwhile");
    }
    expect(seen).toEqual(made);
  });

  it("refuses, in order: a bad query, and a cursor that it did not write", async () => {
    const send = async (query: string) => refusalOf(await raw("apiClients", { query }));
    expect(await send("limit=501&name=x")).toEqual(["invalid_request", "limit", "name"]);
    for (const cursor of ["x", Buffer.from(fintech.entityId).toString("base64url")]) {
      expect(await send(`cursor=${cursor}`)).toEqual(["invalid_cursor"]);
    }
  });

  it("goes on nowhere from another entity's client", async () => {
    const cursor = Buffer.from(other.clientId).toString("base64url");
    expect((await fintech.client.apiClients({ query: { cursor } })).body).toEqual([]);
  });
});

describe("the audit", () => {
  it("keeps who changed access, what and with what outcome, the refused too, and cannot be altered", async () => {
    const { client_id } = await anApiClient(fintech);
    const headers = { "request-id": "audited-1" };
    await raw("disableApiClient", { body: { client_id }, headers });
    await raw("rotateApiClient", { body: { client_id }, headers: { "request-id": "audited-2" } });
    const records = await service.sql`
      select made_by, request_id, action, outcome from service.access_records where subject = ${client_id} order by id`;
    const by = { made_by: fintech.clientId };
    expect(records.map((record) => ({ ...record }))).toEqual([
      { ...by, request_id: expect.any(String), action: "createApiClient", outcome: "done" },
      { ...by, request_id: "audited-1", action: "disableApiClient", outcome: "done" },
      { ...by, request_id: "audited-2", action: "rotateApiClient", outcome: "api_client_disabled" },
    ]);
    await expect(service.sql`delete from service.access_records`).rejects.toThrow("append-only");
  });
});
