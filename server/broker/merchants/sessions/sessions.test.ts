import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/client.ts";
import { merchantContract } from "../../../../src/contract/broker/broker.ts";
import { aBroker, anOrder, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker();
});
afterAll(() => broker.stop());

function start(fields: object = {}, idempotencyKey?: string) {
  const body = { kind: "pay" as const, amount: 25_000, origin: SHOP_ORIGIN, ...fields };
  return broker.merchant.createSession({ body }, idempotencyKey === undefined ? {} : { idempotencyKey });
}

async function pay(session: string): Promise<void> {
  const ana = await broker.as("payer");
  const { payload } = (await broker.widget(session).widgetSession({})).body;
  const { id, payee, amount, reference = "" } = (await ana.openApproval({ body: { payload } })).body;
  await ana.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
}

async function codesMade(): Promise<number> {
  return (await broker.service.sql`select from service.qr_reservations`).length;
}

describe("a payment session", () => {
  it("shows the page the merchant's code, its check code and the time left", async () => {
    const { session, reference } = await anOrder(broker);
    const { body } = await broker.widget(session).widgetSession({});
    expect(body).toMatchObject({ kind: "pay", state: "unpaid", payee: "Café La Esquina", amount: 25_000, reference });
    expect(body.app_link).toBe(`${ORIGIN}/p#${encodeURI(body.payload)}`);
    expect(body.expires_in).toBeGreaterThan(890);
  });

  it("asked for again by its order is the same, token and all", async () => {
    const order = v7();
    const made = await codesMade();
    const [first, second] = [(await start({ order })).body, (await start({ order })).body];
    expect({ ...second, expires_in: 0 }).toEqual({ ...first, expires_in: 0 });
    expect(await codesMade()).toBe(made + 1);
  });

  it("asked for twenty times at once by its order is one session and one code", async () => {
    const order = v7();
    const made = await codesMade();
    const answers = await Promise.all(Array.from({ length: 20 }, () => start({ order })));
    expect(new Set(answers.map(({ body }) => body.session)).size).toBe(1);
    expect(await codesMade()).toBe(made + 1);
  });

  it("of an order that was started with another amount is refused", async () => {
    const order = v7();
    await start({ order });
    await expect(start({ order, amount: 1 })).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });

  it("whose code was never paid and is forgotten has expired, and its order gets another", async () => {
    const order = v7();
    const { session_id, reference = "" } = (await start({ order })).body;
    await broker.service.sql`delete from service.qr_reservations where reference = ${reference}`;
    await expect(start({ order })).rejects.toMatchObject({ code: "upstream_failed" });
    const over = new Date(Date.now() - 1_000);
    await broker.sql`update broker.widget_sessions set expires_at = ${over} where id = ${session_id}`;
    const { body } = await broker.merchant.sessionStatus({ params: { session_id } });
    expect(body).toMatchObject({ kind: "pay", state: "expired", order, reference });
    expect((await start({ order })).body.session_id).not.toBe(session_id);
  });

  it("asked for again by its idempotency key is the same", async () => {
    const [first, second] = [(await start({}, "shop-1")).body, (await start({}, "shop-1")).body];
    expect(second.session).toBe(first.session);
    await expect(start({ amount: 7 }, "shop-1")).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });

  it("without order and key is a new one each time", async () => {
    expect((await start()).body.reference).not.toBe((await start()).body.reference);
  });

  it("of a paid order stays that session, and tells the merchant when and by which payment", async () => {
    const order = v7();
    const { body: session } = await start({ order });
    await pay(session.session);
    expect((await start({ order })).body.session_id).toBe(session.session_id);
    const { body } = await broker.merchant.sessionStatus({ params: { session_id: session.session_id } });
    expect(body).toMatchObject({ state: "paid", order, reference: session.reference, amount: 25_000, currency: "COP" });
    expect(body.transaction_id).toBeDefined();
    expect(body.paid_at).toBeDefined();
    expect(body.refunded_amount).toBeUndefined();
    for (const [amount, refunded] of [
      [5_000, 5_000],
      [20_000, 25_000],
    ] as const) {
      await broker.entity.client.reverseTransaction({ body: { id: body.transaction_id ?? "", amount } });
      const later = await broker.merchant.sessionStatus({ params: { session_id: session.session_id } });
      expect(later.body).toMatchObject({ state: "paid", amount: 25_000, refunded_amount: refunded });
    }
    const { reference = "" } = session;
    expect((await broker.entity.client.transactionQr({ query: { reference } })).body.state).toBe("paid");
  });

  it("of a paid order is shown as paid to a page that comes back long after", async () => {
    const order = v7();
    const { body: first } = await start({ order, expires_in: 30 });
    await pay(first.session);
    broker.advance(3_600);
    await expect(broker.widget(first.session).widgetSession({})).rejects.toMatchObject({ code: "unauthorized" });
    const { body: again } = await start({ order, expires_in: 30 });
    expect((await broker.widget(again.session).widgetSession({})).body.state).toBe("paid");
    broker.advance(5 * 60);
    await expect(broker.widget(again.session).widgetSession({})).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("of an order whose code has lapsed is a new session with a new code", async () => {
    const order = v7();
    const { body: first } = await start({ order, expires_in: 30 });
    broker.advance(31);
    const { body: second } = await start({ order, expires_in: 30 });
    expect(second.session).not.toBe(first.session);
    expect(second.reference).not.toBe(first.reference);
  });

  it("is cancelled by its merchant, and a cancelled order starts anew", async () => {
    const order = v7();
    const { body: session } = await start({ order });
    const id = { params: { session_id: session.session_id } };
    expect((await broker.merchant.cancelSession(id)).body.state).toBe("cancelled");
    expect((await broker.widget(session.session).widgetSession({})).body.state).toBe("cancelled");
    expect((await start({ order })).body.session_id).not.toBe(session.session_id);
  });

  it("that is paid cannot be cancelled", async () => {
    const { body: session } = await start();
    await pay(session.session);
    const id = { params: { session_id: session.session_id } };
    await expect(broker.merchant.cancelSession(id)).rejects.toMatchObject({ code: "qr_already_paid" });
  });

  it("is over five minutes after its code has expired", async () => {
    const { body } = await start({ expires_in: 30 });
    broker.advance(30 + 5 * 60 - 5);
    expect((await broker.widget(body.session).widgetSession({})).body.state).toBe("expired");
    broker.advance(10);
    await expect(broker.widget(body.session).widgetSession({})).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("keeps its ETag while only the time left changes", async () => {
    const { session } = await anOrder(broker);
    const first = await broker.widget(session).widgetSession({});
    broker.advance(3);
    const second = await broker.widget(session).widgetSession({});
    expect(second.etag).toBe(first.etag);
    expect(second.body.expires_in).toBeLessThan(first.body.expires_in);
    const unchanged = await broker.widget(session).widgetSession({}, { etag: first.etag ?? "" });
    expect(unchanged.status).toBe(304);
    await pay(session);
    broker.advance(2);
    expect((await broker.widget(session).widgetSession({})).etag).not.toBe(first.etag);
  });

  it("keeps no token in the database", async () => {
    const { session } = await anOrder(broker);
    const rows = await broker.sql`select row_to_json(s)::text as row from broker.widget_sessions s`;
    expect(JSON.stringify(rows)).not.toContain(session.slice(3));
  });
});

describe("starting a session", () => {
  it.each([
    ["no amount", { amount: undefined }, "invalid_request"],
    ["an amount finer than a cent", { amount: 1.001 }, "invalid_request"],
    ["an origin that the merchant did not list", { origin: "https://evil.example" }, "not_allowed"],
    ["an origin that is an address", { origin: `${SHOP_ORIGIN}/cart` }, "invalid_request"],
    ["another payer's limit", { max_amount: 5 }, "invalid_request"],
    ["more than a code can ask for", { amount: 10_000_000_000 }, "amount_too_large_for_qr"],
  ])("with %s is refused", async (_name, fields, code) => {
    await expect(start(fields)).rejects.toMatchObject({ code });
  });

  it("with the publishable key needs the merchant's leave, its own page, and an amount within the limit", async () => {
    const call = (origin: string) =>
      createClient(merchantContract, {
        baseUrl: ORIGIN,
        fetch: broker.fetch,
        headers: () => ({ authorization: `Bearer ${broker.demo.merchantKeys.publishableKey}`, origin }),
      });
    const body = { kind: "pay" as const, amount: 1_000, origin: SHOP_ORIGIN };
    await expect(call(SHOP_ORIGIN).createSession({ body })).rejects.toMatchObject({ code: "not_allowed" });
    await broker.sql`update broker.merchants set open_amount_limit = 200000`;
    for (const other of [{ kind: "recharge" as const }, { kind: "quota" as const, user: broker.ana.id }]) {
      const asked = call(SHOP_ORIGIN).createSession({ body: { ...other, origin: SHOP_ORIGIN } });
      await expect(asked).rejects.toMatchObject({ code: "not_allowed" });
    }
    expect((await call(SHOP_ORIGIN).createSession({ body })).status).toBe(201);
    const more = { body: { ...body, amount: 2_000.01 } };
    await expect(call(SHOP_ORIGIN).createSession(more)).rejects.toMatchObject({ code: "not_allowed" });
    await expect(call(ORIGIN).createSession({ body })).rejects.toMatchObject({ code: "not_allowed" });
    // A merchant that delivers by the order would deliver a page's 1 for the order's 25 000.
    const named = call(SHOP_ORIGIN).createSession({ body: { ...body, order: v7() } });
    await expect(named).rejects.toMatchObject({ code: "invalid_request", faults: [{ pointer: "/order" }] });
    await broker.sql`update broker.merchants set open_amount_limit = null`;
  });
});

describe("many pages that look at one session", () => {
  it("cost the service one look a second", async () => {
    const { session } = await anOrder(broker);
    broker.asked.length = 0;
    const look = () => Promise.all(Array.from({ length: 30 }, () => broker.widget(session).widgetSession({})));
    await look();
    expect(broker.asked).toEqual([]);
    broker.advance(1.1);
    const answers = await look();
    expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(1);
    expect(broker.asked).toEqual(["/transaction-qr"]);
    // The cached answer is shown for a second, and no longer.
    await pay(session);
    broker.advance(1.1);
    expect((await broker.widget(session).widgetSession({})).body.state).toBe("paid");
  });
});
