import { BlockList } from "node:net";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asOperator } from "../../test/support/as-operator.ts";
import { aBroker, anOrder, ORIGIN, ownPage, SHOP_ORIGIN, type TestBroker } from "../../test/support/broker.ts";
import { agreed, anotherOperator } from "../../test/support/second-operator.ts";
import { aTill, fundShop, topUpsSent } from "../../test/support/till.ts";

let broker: TestBroker;
/** Another merchant, with a page of its own. */
let other: { readonly id: string; readonly serverKey: string; readonly publishableKey: string };
const OTHER_ORIGIN = "https://other.example";

beforeAll(async () => {
  const trustedProxies = new BlockList();
  trustedProxies.addAddress("127.0.0.1");
  broker = await aBroker({ wait: async () => undefined, trustedProxies });
  await fundShop(broker);
  const allowed = { open_amount_limit: 5_000, sells_top_ups: true };
  const body = { name: "Otra", user_id: broker.ana.id, origins: [OTHER_ORIGIN], ...allowed };
  const second = await anotherOperator(broker, "admin");
  const made = (await (await asOperator(broker)).createMerchant({ body })).body;
  const { id, server_key, publishable_key } = await agreed(second.client, made);
  other = { id, serverKey: server_key ?? "", publishableKey: publishable_key ?? "" };
});
afterAll(() => broker.stop());

type Order = Awaited<ReturnType<typeof anOrder>>;

interface Asked {
  readonly token?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends one request as anybody may; a text body goes unchanged. */
async function ask(path: string, { token, method, headers, body }: Asked = {}) {
  const response = await broker.fetch(`${ORIGIN}${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const { code = "", reference = "", session = "" } = text.startsWith("{") ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, text, code, reference, session };
}

const start = (token: string, fields: object, headers: Readonly<Record<string, string>> = {}) =>
  ask("/v1/sessions", { token, headers, body: { kind: "pay", amount: 1_000, ...fields } });
const ofOther = (fields: object = {}, headers = {}) =>
  start(other.serverKey, { origin: OTHER_ORIGIN, ...fields }, headers);
const byPage = (fields: object = {}, headers = {}) =>
  start(other.publishableKey, { origin: OTHER_ORIGIN, ...fields }, { origin: OTHER_ORIGIN, ...headers });

async function countOf(table: "widget_sessions" | "look_ups"): Promise<number> {
  return (await broker.sql`select from ${broker.sql(`broker.${table}`)}`).length;
}

describe("a session of payment A shows nothing of payment B", () => {
  it.each<[string, (b: Order) => string, number]>([
    ["in a query", (b) => `/v1/session?reference=${b.reference}`, 400],
    ["in another query", (b) => `/v1/session?session_id=${b.session_id}`, 400],
    ["by its path", (b) => `/v1/sessions/${b.session_id}`, 404],
    ["below its own path", (b) => `/v1/session/${b.session_id}`, 404],
  ])("asked for %s", async (_name, pathOf, status) => {
    const [a, b] = [await anOrder(broker), await anOrder(broker)];
    const answer = await ask(pathOf(b), { token: a.session });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain("000201");
  });

  it("nor withdraws it", async () => {
    const [a, b] = [await anOrder(broker), await anOrder(broker)];
    const refused = await ask(`/v1/sessions/${b.session_id}/cancel`, { token: a.session, method: "POST" });
    expect(refused.status).toBe(404);
    expect((await broker.widget(b.session).widgetSession({})).body.state).toBe("unpaid");
  });
});

describe("a token is a credential in one place only:", () => {
  it.each<[string, (token: string) => readonly [string, Record<string, string>]]>([
    ["not in the query", (token) => [`/v1/session?session=${token}`, {}]],
    ["not as an OAuth query", (token) => [`/v1/session?access_token=${token}`, {}]],
    ["not in a cookie", (token) => ["/v1/session", { cookie: `session=${token}; __Host-cupo-session=${token}` }]],
    ["not as a password", (token) => ["/v1/session", { authorization: `Basic ${btoa(`${token}:`)}` }]],
    ["not in a header of its own", (token) => ["/v1/session", { "x-cupo-session": token }]],
    ["not twice", (token) => ["/v1/session", { authorization: `Bearer ${token}, Bearer ${token}` }]],
    ["not under another prefix", (token) => ["/v1/session", { authorization: `Bearer sk_${token.slice(3)}` }]],
    ["not with a space more", (token) => ["/v1/session", { authorization: `Bearer ${token} x` }]],
  ])("%s", async (_name, requestOf) => {
    const [path, headers] = requestOf((await anOrder(broker)).session);
    const { status, text } = await ask(path, { headers });
    expect(status).toBe(401);
    expect(text).not.toContain("000201");
  });

  it("a person's cookie does not help a session out, nor the other way round", async () => {
    const cookie = ownPage(await broker.signIn("payer"));
    const { session } = await anOrder(broker);
    expect((await ask("/v1/me", { token: session, headers: cookie })).status).toBe(404);
    expect((await ask("/v1/me", { token: `ws_${"A".repeat(43)}`, headers: cookie })).status).toBe(401);
    expect((await ask("/v1/me", { headers: { ...cookie, authorization: "" } })).status).toBe(401);
  });
});

describe("a page of a shop", () => {
  const ROUTES = ["/v1/session", "/v1/session/stream", "/v1/sessions", "/v1/look-ups", "/v1/recharges"];

  it.each([...ROUTES, "/v1/me", "/v1/sessions/1", "/v1/operator/merchants", "/v1/me/grants", "/v1/approvals"])(
    "is never told that %s takes its browser's cookies, nor how to send what the app sends",
    async (path) => {
      for (const origin of [SHOP_ORIGIN, OTHER_ORIGIN, "https://evil.example", "null", ORIGIN]) {
        const wanted = { "access-control-request-method": "POST", "access-control-request-headers": "x-cupo-request" };
        const { headers } = await ask(path, { method: "OPTIONS", headers: { origin, ...wanted } });
        expect(headers.get("access-control-allow-credentials")).toBeNull();
        expect(headers.get("access-control-allow-headers") ?? "").not.toMatch(/x-cupo-request|\*/i);
        const listed = origin !== "null" && !origin.includes("evil") && ROUTES.includes(path);
        expect(headers.get("access-control-allow-origin")).toBe(listed ? origin : null);
      }
    },
  );

  it("on the broker's own site finds nobody with the person's cookie, which such a browser sends", async () => {
    const { cookie = "" } = ownPage(await broker.signIn("payer"));
    const before = await countOf("look_ups");
    const page = { cookie, origin: SHOP_ORIGIN, "sec-fetch-site": "same-site" };
    for (const headers of [
      page,
      { ...page, "x-cupo-request": "1" },
      { cookie, origin: SHOP_ORIGIN, "x-cupo-request": "1" },
    ]) {
      const { status } = await ask("/v1/look-ups", { headers, body: { phone: broker.ben.phone } });
      expect(status).toBe(403);
    }
    expect(await countOf("look_ups")).toBe(before);
  });

  it.each(["/v1/sessions", "/v1/recharges"])(
    "does nothing at %s with a server key that it should not have",
    async (path) => {
      const token = broker.demo.merchantKeys.serverKey;
      const before = await countOf("widget_sessions");
      const body = path === "/v1/sessions" ? { kind: "quota", user: broker.ana.id, origin: SHOP_ORIGIN } : undefined;
      const { status, headers } = await ask(path, { token, headers: { origin: SHOP_ORIGIN }, ...(body && { body }) });
      expect([status, headers.get("access-control-allow-origin")]).toEqual([403, null]);
      expect(await countOf("widget_sessions")).toBe(before);
    },
  );

  it.each([
    ["a port", `${OTHER_ORIGIN}:8443`],
    ["a dot at its end", `${OTHER_ORIGIN}.`],
    ["other letters", OTHER_ORIGIN.toUpperCase()],
    ["a user's name", "https://other.example@evil.example"],
    ["a list", `${OTHER_ORIGIN} https://evil.example`],
    ["a wildcard", "*"],
  ])("of an origin that differs by %s starts nothing with the publishable key", async (_name, origin) => {
    for (const answer of [
      await byPage({ origin }),
      await byPage({}, { origin }),
      await byPage({ origin }, { origin }),
    ]) {
      expect([400, 403]).toContain(answer.status);
      expect(answer.headers.get("access-control-allow-origin") ?? OTHER_ORIGIN).toBe(OTHER_ORIGIN);
    }
  });
});

describe("a publishable key", () => {
  it.each([
    ["a quota", { kind: "quota", user: v7(), amount: undefined }, 403],
    ["a granted quota", { kind: "quota", grant: v7(), amount: undefined }, 403],
    ["a till", { kind: "recharge", amount: undefined, max_amount: 1_000_000 }, 403],
    ["an order", { order: "1042" }, 400],
    ["more than the limit", { amount: 5_000.01 }, 403],
    ["a limit of its own", { max_amount: 9_000_000 }, 400],
    ["nothing", { amount: 0 }, 400],
    ["less than nothing", { amount: -1_000 }, 400],
    ["an amount as text", { amount: "1000" }, 400],
    ["another merchant", { merchant_id: v7() }, 400],
  ])("asks in vain for %s", async (_name, fields, status) => {
    const before = await countOf("widget_sessions");
    expect((await byPage(fields)).status).toBe(status);
    expect(await countOf("widget_sessions")).toBe(before);
  });

  it("makes no order of its own details: it is refused, and starts nothing", async () => {
    const before = await countOf("widget_sessions");
    const page = await byPage({ details: { order: "1042" } });
    expect([page.status, JSON.parse(page.text)]).toMatchObject([400, { errors: [{ pointer: "/details/order" }] }]);
    expect(await countOf("widget_sessions")).toBe(before);
  });

  it("is given nothing that the merchant's backend started, though it knows the key or order of it", async () => {
    const key = { "idempotency-key": v7() };
    const own = await ofOther({}, key);
    const page = await byPage({}, key);
    expect([own.status, page.status]).toEqual([201, 201]);
    expect(page.session).not.toBe(own.session);
    expect(page.reference).not.toBe(own.reference);
  });
});

describe("whoever has only the publishable key", () => {
  it("cannot keep a merchant's other visitors from paying, nor its backend from starting sessions", async () => {
    const from = (address: string) => byPage({}, { "x-forwarded-for": address });
    const flood = await Promise.all(Array.from({ length: 300 }, () => from("203.0.113.7")));
    const refused = flood.filter(({ status }) => status === 429);
    // While they are answered, one more is allowed every two seconds.
    expect(flood.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(60);
    expect(refused.length).toBeGreaterThanOrEqual(240);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await from("198.51.100.2")).status).toBe(201);
    expect((await ofOther()).status).toBe(201);
    const [session] = flood.filter(({ status }) => status === 201);
    expect((await ask("/v1/session", { token: session?.session ?? "" })).status).toBe(200);
    const neighbours = await Promise.all(
      Array.from({ length: 300 }, (_, n) => from(`2001:db8:0:1::${n.toString(16)}`)),
    );
    expect(neighbours.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(60);
    broker.advance(61);
    expect((await from("203.0.113.7")).status).toBe(201);
  });
});

describe("a key or order that was used before", () => {
  it.each([
    ["another amount", { amount: 1_001 }],
    ["another life", { expires_in: 60 }],
    ["other details", { details: { table: "7" } }],
    ["another kind", { kind: "recharge", amount: undefined, max_amount: 1_000 }],
  ])("with %s is refused, and the first session stays as it was", async (_name, fields) => {
    const key = { "idempotency-key": v7() };
    const first = await ofOther({}, key);
    expect(await ofOther(fields, key)).toMatchObject({ status: 422, code: "idempotency_key_reused" });
    expect(await ofOther({}, key)).toMatchObject({ status: 201, session: first.session });
  });

  it("by another merchant is that merchant's own", async () => {
    const key = { "idempotency-key": v7() };
    const [mine, theirs] = [
      await start(broker.demo.merchantKeys.serverKey, { order: "1042", origin: SHOP_ORIGIN }, key),
      await ofOther({ order: "1042" }, key),
    ];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.reference).not.toBe(mine.reference);
  });
});

describe("what was taken back ends with the very next request:", () => {
  it("a quota whose grant was revoked, though the page has its last version", async () => {
    const ana = await broker.as("payer");
    const grant = (await ana.createGrant({ body: { merchant_id: other.id, proof: { demo: true } } })).body.id;
    const { session } = await ofOther({ kind: "quota", amount: undefined, grant });
    const first = await ask("/v1/session", { token: session });
    const etag = first.headers.get("etag") ?? "";
    expect((await ask("/v1/session", { token: session, headers: { "if-none-match": etag } })).status).toBe(304);
    await ana.revokeGrant({ params: { id: grant } });
    for (const headers of [{}, { "if-none-match": etag }, { "if-none-match": "*" }]) {
      const { status, text } = await ask("/v1/session", { token: session, headers });
      expect([status, text.includes("quota")]).toEqual([401, false]);
    }
  });

  it("a till whose merchant's page was taken off the list: it finds, sells and lists nothing", async () => {
    const till = await aTill(broker);
    const [handle, before] = [await till.find(), await topUpsSent(broker)];
    await broker.sql`delete from broker.merchant_origins where origin = ${SHOP_ORIGIN}`;
    for (const attempt of [
      till.shown,
      till.find,
      () => till.sell(handle, 1_000),
      () => till.recharges({ query: {} }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "unauthorized" });
    }
    expect(await topUpsSent(broker)).toBe(before);
    await broker.sql`insert into broker.merchant_origins (merchant_id, origin)
      select merchant_id, ${SHOP_ORIGIN} from broker.widget_sessions where id = ${till.id}`;
    expect((await till.shown()).kind).toBe("recharge");
  });
});
