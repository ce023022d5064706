import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client.ts";
import { merchantContract } from "../../../src/contract/broker/broker.ts";
import { asOperator, haveRole, type OperatorClient } from "../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, ownPage, type TestBroker } from "../../../test/support/broker.ts";
import { type AnotherOperator, agreed, anotherOperator } from "../../../test/support/second-operator.ts";

const SHOP = "https://tienda.example";

let broker: TestBroker;
let admin: OperatorClient;
let second: AnotherOperator;
beforeAll(async () => {
  broker = await aBroker();
  admin = await asOperator(broker);
  second = await anotherOperator(broker, "admin");
});
afterAll(() => broker.stop());

type Body = Parameters<OperatorClient["createMerchant"]>[0]["body"];
const bodyOf = (fields: Partial<Body> = {}): Body => ({
  ...{ name: "La Tienda", user_id: broker.shop.id, origins: [SHOP] },
  ...fields,
});
const create = async (fields: Partial<Body> = {}, idempotencyKey?: string) =>
  (await admin.createMerchant({ body: bodyOf(fields) }, idempotencyKey === undefined ? {} : { idempotencyKey })).body;

function client(token: string | null, origin?: string) {
  const headers = { authorization: `Bearer ${token}`, ...(origin && { origin }) };
  return createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers: () => headers });
}
const start = (token: string | null, fields: object = {}, origin?: string) =>
  client(token, origin).createSession({ body: { kind: "pay", amount: 1_000, origin: SHOP, ...fields } });

describe("making a merchant", () => {
  it("gives keys that work at once, and shows them in no other answer", async () => {
    const made = await create({ open_amount_limit: 2_000, webhook_url: "https://tienda.example/hook" });
    expect(made).toMatchObject({
      ...{ name: "La Tienda", user_id: broker.shop.id, origins: [SHOP], open_amount_limit: 2_000, first_party: false },
      ...{ webhook_url: "https://tienda.example/hook", disabled_at: null, webhook_waiting: 0, webhook_failure: null },
    });
    expect(made.webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made.keys.map(({ kind }) => kind).sort()).toEqual(["publishable", "server", "webhook"]);
    const { session } = (await start(made.server_key)).body;
    expect((await broker.widget(session).widgetSession({})).body.payee).toBe("Café La Esquina");
    await start(made.publishable_key, { amount: 2_000 }, SHOP);
    await expect(start(made.publishable_key, { amount: 2_001 }, SHOP)).rejects.toMatchObject({ code: "not_allowed" });
    const listed = JSON.stringify((await admin.merchants({ query: {} })).body);
    for (const key of [made.server_key, made.publishable_key, made.webhook_secret]) expect(listed).not.toContain(key);
  });

  it("without a webhook or a limit makes no secret, and its publishable key starts nothing", async () => {
    const made = await create();
    expect(made).toMatchObject({ webhook_url: null, webhook_secret: null, open_amount_limit: null });
    await expect(start(made.publishable_key, {}, SHOP)).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("needs a user that the service has", async () => {
    await expect(create({ user_id: v7() })).rejects.toMatchObject({ code: "user_not_found" });
  });

  it.each([
    ["origins/0", { origins: ["https://tienda.example/"] }],
    ["origins/0", { origins: ["https://Tienda.example"] }],
    ["origins/0", { origins: ["https://tienda.example:443"] }],
    ["origins/1", { origins: [SHOP, "null"] }],
    ["origins/0", { origins: ["http://tienda.example"] }],
    ["origins/0", { origins: ["http://192.168.0.7:3000"] }],
    ["open_amount_limit", { open_amount_limit: 0 }],
    ["open_amount_limit", { open_amount_limit: 1.001 }],
    ["webhook_url", { webhook_url: "ftp://tienda.example" }],
    ["webhook_url", { webhook_url: "https://" }],
    ["webhook_url", { webhook_url: "https://user:word@tienda.example" }],
    ["webhook_url", { webhook_url: "https://tienda.example/#part" }],
    ["webhook_url", { webhook_url: "http://tienda.example" }],
    ["webhook_url", { webhook_url: "https://10.0.0.7/hook" }],
  ])("refuses a fault in /%s: %j", async (pointer, fields) => {
    const faults = [{ pointer: `/${pointer}` }];
    await expect(create(fields)).rejects.toMatchObject({ code: "invalid_request", faults });
  });

  it("twice with one idempotency key makes one merchant, whose keys only the first answer has", async () => {
    const key = v7();
    const before = (await admin.merchants({ query: {} })).body.length;
    const answers = await Promise.all(Array.from({ length: 4 }, () => create({ first_party: true }, key)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ server_key: shown }) => shown !== null)).toHaveLength(1);
    expect((await admin.merchants({ query: {} })).body).toHaveLength(before + 1);
    const again = await create({ first_party: true }, key);
    expect(again).toMatchObject({ server_key: null, publishable_key: null, change: { first_party: true } });
    await expect(create({ first_party: false }, key)).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });
});

describe("the list of merchants", () => {
  it("has the newest first, in pages that join without a gap, disabled ones too", async () => {
    const { id } = await create({ name: "Newest" });
    await admin.disableMerchant({ params: { id } });
    const all = (await admin.merchants({ query: {} })).body;
    expect(all[0]).toMatchObject({ id, name: "Newest", keys: [], disabled_at: expect.any(String) });
    expect(all.map((merchant) => merchant.id)).toEqual(
      all
        .map((merchant) => merchant.id)
        .toSorted()
        .reverse(),
    );
    const paged: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page = await admin.merchants({ query: { limit: "2", ...(cursor && { cursor }) } });
      paged.push(...page.body.map((merchant) => merchant.id));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all.map((merchant) => merchant.id));
  });

  it.each(["nonsense", Buffer.from(v7().toUpperCase()).toString("base64url")])("knows no cursor %s", async (cursor) => {
    await expect(admin.merchants({ query: { cursor } })).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});

describe("changing a merchant", () => {
  it("changes what is named, and leaves the rest", async () => {
    const allowed = { open_amount_limit: 500, first_party: true, sells_top_ups: true };
    const { id, keys } = await agreed(second.client, await create(allowed));
    const renamed = (await admin.changeMerchant({ params: { id }, body: { name: "Otra" } })).body;
    const kept = { open_amount_limit: 500, first_party: true, sells_top_ups: true, keys };
    expect(renamed).toMatchObject({ name: "Otra", origins: [SHOP], ...kept });
    const refused = { open_amount_limit: null, first_party: false, sells_top_ups: false };
    const body = { origins: ["https://b.example", SHOP, SHOP], ...refused };
    const changed = (await admin.changeMerchant({ params: { id }, body })).body;
    expect(changed).toMatchObject({ ...body, name: "Otra", origins: ["https://b.example", SHOP], server_key: null });
  });

  it("refuses pages that show a code while their origin is not listed, and does not end them", async () => {
    const { id, server_key: key, publishable_key: publishable } = await create({ open_amount_limit: 5_000 });
    const { session } = (await start(key)).body;
    const look = () => broker.widget(session).widgetSession({});
    await admin.changeMerchant({ params: { id }, body: { origins: ["https://b.example"] } });
    await expect(look()).rejects.toMatchObject({ code: "unauthorized" });
    for (const token of [key, publishable]) {
      await expect(start(token, {}, token === key ? undefined : SHOP)).rejects.toMatchObject({ code: "not_allowed" });
    }
    await admin.changeMerchant({ params: { id }, body: { origins: [SHOP] } });
    expect((await look()).body.state).toBe("unpaid");
  });

  it("brings a secret with the first webhook, and none with the next", async () => {
    const { id } = await create();
    const put = async (webhook_url: string | null) =>
      (await admin.changeMerchant({ params: { id }, body: { webhook_url } })).body;
    expect((await put("https://a.example")).webhook_secret).toMatch(/^whsec_/);
    expect(await put("https://b.example")).toMatchObject({ webhook_url: "https://b.example", webhook_secret: null });
    expect((await put(null)).webhook_url).toBeNull();
    expect((await put("https://a.example")).webhook_secret).toBeNull();
  });

  it("is refused in the order of the row: for none that there is, then for one that is disabled", async () => {
    await expect(admin.changeMerchant({ params: { id: v7() }, body: {} })).rejects.toMatchObject({
      code: "merchant_not_found",
    });
    const { id } = await create();
    await admin.disableMerchant({ params: { id } });
    const late = admin.changeMerchant({ params: { id }, body: { name: "Late" } });
    await expect(late).rejects.toMatchObject({ code: "merchant_disabled" });
  });
});

describe("an operator's role", () => {
  it.each(["viewer", "clerk"] as const)("%s may list and nothing else, which the audit keeps", async (role) => {
    const { id } = await create();
    const operator = await asOperator(broker, role);
    const params = { id };
    const tries = [
      () => operator.createMerchant({ body: bodyOf({ user_id: v7() }) }),
      () => operator.changeMerchant({ params: { id: v7() }, body: {} }),
      () => operator.rotateMerchantKey({ params, body: { kind: "server" } }),
      () => operator.disableMerchant({ params }),
    ];
    for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ code: "not_allowed" });
    const found = (await operator.merchants({ query: { limit: "1" } })).body;
    expect(found).toMatchObject([{ id, disabled_at: null }]);
    const refused = await broker.sql<{ action: string }[]>`
      select action from broker.audit_records where outcome = 'not_allowed' order by id desc limit 4`;
    const actions = ["disable merchant", "rotate merchant key", "change merchant", "create merchant"];
    expect(refused.map(({ action }) => action)).toEqual(actions);
    await haveRole(broker, "admin");
  });

  it("that is too low is refused as often as it is tried, and the audit keeps ten a minute of it", async () => {
    const operator = await asOperator(broker, "viewer");
    broker.advance(60);
    const count = async () => (await broker.sql`select from broker.audit_records where outcome = 'not_allowed'`).length;
    const before = await count();
    const tries = Array.from({ length: 50 }, () =>
      operator.disableMerchant({ params: { id: v7() } }).catch((error: unknown) => (error as { code?: string }).code),
    );
    const codes = await Promise.all(tries);
    const kept = codes.filter((code) => code === "not_allowed").length;
    // One more for each six seconds that the machine takes.
    expect([10, 11, 12]).toContain(kept);
    expect(codes.filter((code) => code === "too_many_requests")).toHaveLength(50 - kept);
    expect((await count()) - before).toBe(kept);
    await haveRole(broker, "admin");
  });

  it("is nothing to somebody without a session, nor to a page of another site", async () => {
    const list = (headers: Record<string, string>) => broker.fetch(`${ORIGIN}/v1/operator/merchants`, { headers });
    expect((await list({})).status).toBe(401);
    const cookie = await broker.signIn("operator");
    expect((await list({ ...ownPage(cookie), "sec-fetch-site": "cross-site" })).status).toBe(403);
  });
});
