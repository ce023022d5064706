import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/client.ts";
import { merchantContract } from "../../../../src/contract/broker/broker.ts";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker();
  await broker.sql`update broker.merchants set open_amount_limit = 100000000`;
});
afterAll(() => broker.stop());

async function anOrder(fields: object = {}) {
  const body = { kind: "pay" as const, amount: 5_000, order: v7(), origin: SHOP_ORIGIN, ...fields };
  const { reference = "", session_id: id } = (await broker.merchant.createSession({ body })).body;
  return { reference, id, order: body.order };
}

async function pay(reference: string, fields: object = {}): Promise<string> {
  const { payload, amount } = (await broker.entity.client.transactionQr({ query: { reference } })).body;
  const parties = { from_user_id: broker.ana.id, to_user_id: broker.shop.id };
  const body = { amount, ...parties, details: { qr: payload }, ...fields };
  return (await broker.entity.client.createTransaction({ body })).body.id;
}

type Query = Parameters<typeof broker.merchant.sessions>[0]["query"];
const listed = async (query: Query = {}) => (await broker.merchant.sessions({ query })).body;
const codesAsked = () => broker.asked.filter((path) => path === "/transaction-qr").length;

describe("a merchant's sessions", () => {
  it("are listed by order, reference, day and state, newest first, with what they were started with", async () => {
    const [unpaid, paid, cancelled] = [await anOrder({ details: { table: 1 } }), await anOrder(), await anOrder()];
    const transaction_id = await pay(paid.reference);
    await broker.merchant.cancelSession({ params: { session_id: cancelled.id } });
    expect((await listed()).map(({ session_id, state }) => [session_id, state])).toEqual([
      [cancelled.id, "cancelled"],
      [paid.id, "paid"],
      [unpaid.id, "unpaid"],
    ]);
    expect(await listed({ order: unpaid.order })).toEqual([
      {
        ...{ session_id: unpaid.id, kind: "pay", state: "unpaid", reference: unpaid.reference, order: unpaid.order },
        ...{ created_at: expect.any(String), expires_at: expect.any(String), amount: 5_000, currency: "COP" },
        details: { table: 1 },
      },
    ]);
    const { session_id } = (await listed({ reference: paid.reference.toLowerCase() }))[0] ?? {};
    expect(session_id).toBe(paid.id);
    expect(await listed({ state: "paid" })).toMatchObject([{ session_id: paid.id, transaction_id, amount: 5_000 }]);
    expect(await listed({ day: "2020-01-01" })).toEqual([]);
    const first = await broker.merchant.sessions({ query: { limit: "2" } });
    const rest = await broker.merchant.sessions({ query: { ...(first.nextCursor && { cursor: first.nextCursor }) } });
    expect([...first.body, ...rest.body].map((one) => one.session_id)).toEqual([cancelled.id, paid.id, unpaid.id]);
  });

  it("ask the service for a final state once", async () => {
    await anOrder();
    await listed();
    const before = codesAsked();
    const found = await listed();
    const open = found.filter(({ state }) => state === "unpaid");
    expect(codesAsked() - before).toBe(open.length);
    expect(found.length).toBeGreaterThan(open.length);
  });

  it("are expired for good once a payment of the last moment cannot be under way any more", async () => {
    const { order } = await anOrder({ expires_in: 30 });
    const kept = async () =>
      (await broker.sql`select final_state from broker.widget_sessions where order_id = ${order}`)[0];
    broker.advance(40);
    expect(await listed({ order })).toMatchObject([{ state: "expired" }]);
    expect(await kept()).toEqual({ final_state: null });
    broker.advance(60);
    expect(await listed({ order })).toMatchObject([{ state: "expired" }]);
    expect(await kept()).toEqual({ final_state: "expired" });
    expect(await listed({ order, state: "expired" })).toHaveLength(1);
  });
});

describe("what a session was started with", () => {
  it("comes back from the backend as details, and from a page as page_details, never in their place", async () => {
    const own = await anOrder({ details: { table: 2 } });
    const page = createClient(merchantContract, {
      ...{ baseUrl: ORIGIN, fetch: broker.fetch },
      headers: () => ({ authorization: `Bearer ${broker.demo.merchantKeys.publishableKey}`, origin: SHOP_ORIGIN }),
    });
    const body = { kind: "pay" as const, amount: 5_000, origin: SHOP_ORIGIN, details: { table: 3 } };
    const started = (await page.createSession({ body })).body;
    const status = async (session_id: string) => (await broker.merchant.sessionStatus({ params: { session_id } })).body;
    expect(await status(own.id)).toMatchObject({ order: own.order, details: { table: 2 } });
    expect(await status(own.id)).not.toHaveProperty("page_details");
    const shown = await status(started.session_id);
    expect(shown).toMatchObject({ page_details: { table: 3 } });
    expect(shown).not.toHaveProperty("details");
    const id = await pay(started.reference ?? "");
    const { qr_details } = (await broker.entity.client.transaction({ query: { id } })).body;
    expect(qr_details).toEqual({ page_details: { table: 3 } });
    const [payment] = (await broker.merchant.payments({ query: { reference: started.reference ?? "" } })).body;
    expect(payment).toMatchObject({ page_details: { table: 3 } });
    expect(payment).not.toHaveProperty("details");
  });
});
