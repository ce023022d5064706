import { BlockList } from "node:net";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";

let broker: TestBroker;
beforeAll(async () => {
  // A request of this machine may say whom it is forwarded for.
  const trustedProxies = new BlockList();
  trustedProxies.addAddress("127.0.0.1");
  broker = await aBroker({ wait: async () => undefined, trustedProxies });
  await broker.sql`update broker.merchants set open_amount_limit = 100000`;
});
afterAll(() => broker.stop());

/** A page of the shop with the publishable key, before a visitor of an address. */
async function byPage(fields: object = {}, headers: Readonly<Record<string, string>> = {}) {
  const response = await broker.fetch(`${ORIGIN}/v1/sessions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${broker.demo.merchantKeys.publishableKey}`,
      "content-type": "application/json",
      ...{ origin: SHOP_ORIGIN, "x-forwarded-for": "203.0.113.7" },
      ...headers,
    },
    body: JSON.stringify({ kind: "pay", amount: 500, origin: SHOP_ORIGIN, ...fields }),
  });
  const { session = "", code = "" } = (await response.json()) as { readonly session?: string; readonly code?: string };
  return { status: response.status, session, code };
}

it("a page names no address that the payer is led back to", async () => {
  const refused = await byPage({ return_url: `${SHOP_ORIGIN}/gracias` });
  expect(refused).toMatchObject({ status: 400, code: "invalid_request" });
});

describe("what pages may start", () => {
  it.each<[string, number, object]>([
    ["of another site", 1_300, { origin: "https://evil.example" }],
    ["over the merchant's limit", 40, { amount: 1_001 }],
    ["of another page of the merchant", 40, { origin: ORIGIN }],
    ["of another kind", 40, { kind: "recharge" }],
  ])("is not used up by requests for sessions %s", async (_name, length, fields) => {
    const flood = await Promise.all(Array.from({ length }, () => byPage(fields)));
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await byPage()).status).toBe(201);
  });

  it("is thirty a minute at one address, and another's visitor is not shut out", async () => {
    broker.advance(61);
    const before = await broker.sql`select from broker.widget_sessions`;
    const flood = await Promise.all(Array.from({ length: 40 }, () => byPage()));
    expect(flood.filter(({ code }) => code === "too_many_requests").length).toBeGreaterThan(0);
    const after = await broker.sql`select from broker.widget_sessions`;
    expect(flood.filter(({ status }) => status === 201).length).toBe(after.length - before.length);
    expect(after.length - before.length).toBeGreaterThanOrEqual(30);
    expect((await byPage({}, { "x-forwarded-for": "198.51.100.2" })).status).toBe(201);
  });
});

describe("what a page says of a payment", () => {
  it("never names the order of the merchant, which its backend alone does", async () => {
    broker.advance(61);
    for (const named of [{ order: "1042" }, { details: { order: "1042", shelf: 7 } }]) {
      expect(await byPage(named)).toMatchObject({ status: 400, code: "invalid_request" });
    }
    expect((await byPage({ details: { shelf: 7 } })).status).toBe(201);
    const origin = SHOP_ORIGIN;
    const body = { kind: "pay" as const, amount: 500, origin, details: { order: "1042" } };
    expect((await broker.merchant.createSession({ body })).status).toBe(201);
  });
});

describe("a page's idempotency key", () => {
  it("gives nobody the session of another visitor who sends the same", async () => {
    broker.advance(61);
    const key = { "idempotency-key": v7() };
    const visitors = ["203.0.113.8", "203.0.113.9"].map((address) => ({ ...key, "x-forwarded-for": address }));
    const [first, second] = [await byPage({}, visitors[0]), await byPage({}, visitors[1])];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.session).not.toBe(first.session);
    const looks = [first, second].map(async ({ session }) => (await broker.widget(session).widgetSession({})).body);
    const [one, two] = await Promise.all(looks);
    expect(two?.reference).not.toBe(one?.reference);
    // Nor does the answer say that somebody used the key before.
    expect((await byPage({ amount: 501 }, visitors[1])).status).toBe(201);
  });
});
