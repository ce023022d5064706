import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../../../src/client.ts";
import { merchantContract } from "../../../../src/contract/broker/broker.ts";
import { asOperator } from "../../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";

let broker: TestBroker;
/** Another merchant that is paid as the same user. */
let other: Client<typeof merchantContract>;

beforeAll(async () => {
  broker = await aBroker();
  const body = { name: "Otra", user_id: broker.shop.id, origins: [SHOP_ORIGIN] };
  const { server_key: key } = (await (await asOperator(broker)).createMerchant({ body })).body;
  const headers = () => ({ authorization: `Bearer ${key}` });
  other = createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
});
afterAll(() => broker.stop());

const DETAILS = { table: 4, exact: 1.5 };

/** Starts a session of an order; returns it with its reference. */
async function anOrder(backend = broker.merchant, fields: object = {}) {
  const body = { kind: "pay" as const, amount: 5_000, order: v7(), origin: SHOP_ORIGIN, details: DETAILS, ...fields };
  const { reference = "", session_id } = (await backend.createSession({ body })).body;
  return { reference, session_id, order: body.order };
}

/** Pays the code of a session; returns the payment's id. */
async function pay({ reference }: { readonly reference: string }): Promise<string> {
  const { payload, amount } = (await broker.entity.client.transactionQr({ query: { reference } })).body;
  const parties = { from_user_id: broker.ana.id, to_user_id: broker.shop.id };
  return (await broker.entity.client.createTransaction({ body: { amount, ...parties, details: { qr: payload } } })).body
    .id;
}

const refund = (id: string, amount?: number) =>
  broker.entity.client.reverseTransaction({ body: { id, ...(amount === undefined ? {} : { amount }) } });
type Query = Parameters<typeof broker.merchant.payments>[0]["query"];
const listed = async (query: Query = {}, backend = broker.merchant) => (await backend.payments({ query })).body;

describe("a merchant's payments", () => {
  it("are those of its own sessions, with order, details and what was given back, newest first", async () => {
    const [first, second, foreign] = [await anOrder(), await anOrder(), await anOrder(other)];
    const [one, two, theirs] = [await pay(first), await pay(second), await pay(foreign)];
    const direct = { amount: 5_000, from_user_id: broker.ana.id, to_user_id: broker.shop.id };
    await broker.entity.client.createTransaction({ body: direct });
    await anOrder();
    await refund(one, 1_000);
    const { session_id, order, reference } = first;
    const [newest, older] = await listed();
    expect((await listed()).map(({ id }) => id)).toEqual([two, one]);
    expect(older).toEqual({
      ...{ id: one, session_id, order, reference, state: "paid", amount: 5_000, currency: "COP" },
      ...{ paid_at: expect.any(String), refunded_amount: 1_000, details: DETAILS },
    });
    expect(newest).toMatchObject({ id: two, order: second.order });
    expect((await listed({}, other)).map(({ id }) => id)).toEqual([theirs]);
  });

  it("are found by order, by reference as people type it, by day and by state", async () => {
    const order = await anOrder();
    const id = await pay(order);
    await refund(id);
    const typed = `${order.reference.slice(0, 4)}-${order.reference.slice(4)}`.toLowerCase();
    for (const query of [{ order: order.order }, { reference: typed }])
      expect(await listed(query)).toMatchObject([{ id, state: "refunded", refunded_amount: 5_000 }]);
    expect(await listed({ order: order.order, state: "paid" })).toEqual([]);
    expect(await listed({ order: "nobody's" })).toEqual([]);
    expect(await listed({ reference: order.reference }, other)).toEqual([]);
    expect((await listed({ state: "refunded" })).map((payment) => payment.id)).toEqual([id]);
    const today = broker.options.clock();
    const day = new Intl.DateTimeFormat("sv", { timeZone: "America/Bogota" }).format(today);
    expect((await listed({ day })).map((payment) => payment.id)).toContain(id);
    expect(await listed({ day: "2020-01-01" })).toEqual([]);
  });

  it("come in pages that join, and then by what changed since", async () => {
    const all = (await listed({ limit: "500" })).map(({ id }) => id);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await broker.merchant.payments({ query: { limit: "1", ...(cursor && { cursor }) } });
      paged.push(...page.body.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(all);
    const { syncToken = "" } = await broker.merchant.payments({ query: {} });
    const id = await pay(await anOrder());
    await refund(id, 2_000);
    const changed = await listed({ "changed-since": syncToken });
    expect(changed.find((payment) => payment.id === id)).toMatchObject({ state: "paid", refunded_amount: 2_000 });
    await expect(listed({ "changed-since": "x" })).rejects.toMatchObject({ code: "invalid_sync_token" });
    const both = listed({ order: "1", "changed-since": syncToken });
    await expect(both).rejects.toMatchObject({ code: "invalid_request" });
  });
});
