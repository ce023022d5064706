import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MerchantEvent } from "../../../../src/contract/broker/merchant-events.ts";
import { fits } from "../../../../src/contract/shared/validate.ts";
import { asOperator } from "../../../../test/support/as-operator.ts";
import {
  aMerchantWebhookFixture,
  type MerchantWebhookFixture,
  WITHIN,
} from "../../../../test/support/merchant-webhook-fixture.ts";
import { signatureFault, timesById } from "../../../../test/support/webhook-receiver.ts";
import { createBroker } from "../../create-broker.ts";
import { readWebhookStates } from "../webhook-states.ts";

let fixture: MerchantWebhookFixture;
beforeAll(async () => {
  // The service reports everything to the broker here: the broker need not poll.
  fixture = await aMerchantWebhookFixture({ merchantWebhooks: { watchEveryMs: 3_600_000 } });
});
afterAll(() => fixture.stop());

/** Long enough for a message that must not come. */
const A_WHILE_MS = 400;
/** Longer than the first pauses of a delivery that failed; all in all far below what a signature is good for. */
const PAUSE_OVER_SECONDS = 12;

describe("a merchant hears", () => {
  it("once and at once that an order was paid, signed, with what it needs to deliver", async () => {
    const merchant = await fixture.aMerchant();
    const order = await merchant.anOrder();
    const transaction_id = await fixture.pay(order);
    const paidAt = performance.now();
    const message = await merchant.hears(order, "payment.paid");
    const { event, headers } = message;
    console.info(`from the payment to the merchant's receiver: ${(performance.now() - paidAt).toFixed(0)} ms`);
    expect(fits(MerchantEvent, event)).toBe(true);
    expect(event.data).toEqual({
      session_id: order.session_id,
      order: order.order,
      reference: order.reference,
      amount: 25_000,
      currency: "COP",
      transaction_id,
      paid_at: event.timestamp,
    });
    expect(signatureFault(merchant.secret, message)).toBeUndefined();
    expect(headers["webhook-id"]).toMatch(/^[0-9a-f-]{36}$/);
    await delay(A_WHILE_MS);
    expect(merchant.receiver.received).toHaveLength(1);
  });

  it("of an open amount that a page asked for, without an order", async () => {
    const merchant = await fixture.aMerchant();
    const session = await merchant.anOpenAmount();
    await fixture.pay(session);
    const { event } = await merchant.hears(session, "payment.paid");
    expect(fits(MerchantEvent, event)).toBe(true);
    expect(event.data).toMatchObject({ session_id: session.session_id, amount: 25_000 });
    expect(event.data).not.toHaveProperty("order");
  });

  it("that an order expired unpaid, and nothing of one that it cancelled", async () => {
    const merchant = await fixture.aMerchant();
    // The service tells of what expires from its first look on.
    await expect.poll(() => fixture.broker.service.sql`select from service.told_expiries`, WITHIN).toHaveLength(1);
    const order = await merchant.anOrder({ expires_in: 30 });
    const cancelled = await merchant.anOrder({ expires_in: 30 });
    await fixture.broker.entity.client.cancelTransactionQr({ body: { reference: cancelled.reference } });
    fixture.broker.advance(40);
    const { event } = await merchant.hears(order, "payment.expired");
    expect(fits(MerchantEvent, event)).toBe(true);
    expect(event.data).toEqual({
      ...{ session_id: order.session_id, order: order.order, reference: order.reference },
      ...{ amount: 25_000, currency: "COP" },
    });
    expect(merchant.receiver.received).toHaveLength(1);
  });

  it("nothing while a hold has the code, and that it is paid once the hold settles", async () => {
    const merchant = await fixture.aMerchant();
    const order = await merchant.anOrder({ expires_in: 30 });
    const id = await fixture.pay(order, { status: "pending" });
    fixture.broker.advance(40);
    await delay(A_WHILE_MS);
    expect(merchant.receiver.received).toEqual([]);
    await fixture.broker.entity.client.settleTransaction({ body: { id, status: "approved" } });
    expect((await merchant.hears(order, "payment.paid")).event.data.transaction_id).toBe(id);
    expect(merchant.receiver.received).toHaveLength(1);
  });

  it("of a payment once, however often the service tells the broker of it", async () => {
    const merchant = await fixture.aMerchant();
    const order = await merchant.anOrder();
    await fixture.pay(order);
    await merchant.hears(order, "payment.paid");
    const { client } = fixture.broker.entity;
    const query = { "endpoint-name": "broker", limit: "500" };
    const [newest] = (await client.webhookDeliveries({ query })).body;
    for (const attempts of [2, 3]) {
      await client.redeliverWebhook({ body: { endpoint_name: "broker", event_id: newest?.event_id ?? "" } });
      const state = async () => (await client.webhookDeliveries({ query })).body[0];
      await expect
        .poll(state, WITHIN)
        .toMatchObject({ attempts, state: "delivered", event_type: "transaction.created" });
    }
    await delay(A_WHILE_MS);
    expect(merchant.receiver.received).toHaveLength(1);
  });

  it("nothing when it has no webhook or no secret", async () => {
    const merchant = await fixture.aMerchant();
    const { sql } = fixture.broker;
    for (const lack of [
      sql`update broker.merchants set webhook_url = null where id = ${merchant.id}`,
      sql`update broker.merchant_webhook_secrets set revoked_at = now() where merchant_id = ${merchant.id}`,
    ]) {
      const order = await merchant.anOrder();
      await lack;
      await fixture.pay(order);
      await delay(A_WHILE_MS);
      expect(await sql`select from broker.merchant_events where session_id = ${order.session_id}`).toEqual([]);
      await sql`update broker.merchants set webhook_url = ${merchant.receiver.url} where id = ${merchant.id}`;
    }
    expect(merchant.receiver.received).toEqual([]);
  });

  it("also after it was disabled: what waited, and what becomes of codes that were shown before", async () => {
    const merchant = await fixture.aMerchant();
    merchant.receiver.answer = () => 500;
    const [before, after] = [await merchant.anOrder(), await merchant.anOrder()];
    const lapsing = await merchant.anOrder({ expires_in: 30 });
    await fixture.pay(before);
    await expect.poll(() => merchant.receiver.received.length, WITHIN).toBe(1);
    const admin = await asOperator(fixture.broker);
    await admin.disableMerchant({ params: { id: merchant.id } });
    merchant.receiver.answer = () => 204;
    fixture.broker.advance(PAUSE_OVER_SECONDS);
    await merchant.hears(before, "payment.paid");
    const id = await fixture.pay(after);
    await merchant.hears(after, "payment.paid");
    await fixture.refund(id);
    await merchant.hears(after, "payment.refunded");
    fixture.broker.advance(40);
    await merchant.hears(lapsing, "payment.expired");
  });
});

describe("a merchant's receiver that is", () => {
  it("down, then answering 500, gets the same message again until it accepts", async () => {
    const merchant = await fixture.aMerchant();
    await merchant.receiver.down();
    const order = await merchant.anOrder();
    await fixture.pay(order);
    const state = async () =>
      (
        await fixture.broker.sql`
          select state, last_error, last_status, attempts from broker.merchant_events
          where session_id = ${order.session_id}`
      )[0];
    await expect.poll(state, WITHIN).toMatchObject({ state: "waiting", last_error: "not_connected" });
    merchant.receiver.answer = () => 500;
    await merchant.receiver.start();
    fixture.broker.advance(PAUSE_OVER_SECONDS);
    await expect.poll(state, WITHIN).toMatchObject({ state: "waiting", last_error: "refused", last_status: 500 });
    const fares = async () => (await readWebhookStates(fixture.broker.sql, [merchant.id])).get(merchant.id);
    expect(await fares()).toEqual({ waiting: 1, failure: "refused (500)" });
    merchant.receiver.answer = () => 204;
    fixture.broker.advance(2 * PAUSE_OVER_SECONDS);
    await expect.poll(() => merchant.told(order, "payment.paid").length, WITHIN).toBe(1);
    await expect.poll(state, WITHIN).toMatchObject({ state: "delivered", last_error: null });
    expect(await fares()).toEqual({ waiting: 0, failure: null });
    const { received } = merchant.receiver;
    expect(new Set(received.map(({ id }) => id)).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it("silent delays no other merchant", async () => {
    const silent = await fixture.aMerchant();
    const other = await fixture.aMerchant();
    silent.receiver.answer = () => "silence";
    for (let number = 0; number < 3; number += 1) await fixture.pay(await silent.anOrder());
    await expect.poll(() => silent.receiver.received.length, WITHIN).toBeGreaterThan(0);
    const order = await other.anOrder();
    await fixture.pay(order);
    await other.hears(order, "payment.paid");
    expect(silent.receiver.accepted).toEqual([]);
  });
});

describe("a secret", () => {
  it("that is being replaced signs beside its successor, and no more once it is revoked", async () => {
    const merchant = await fixture.aMerchant();
    const next = await fixture.addSecret(merchant.id);
    const order = await merchant.anOrder();
    await fixture.pay(order);
    const both = await merchant.hears(order, "payment.paid");
    expect(both.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect(signatureFault(next, both)).toBeUndefined();
    await fixture.broker.sql`
      update broker.merchant_webhook_secrets set revoked_at = now() where id in (
        select id from broker.merchant_webhook_secrets where merchant_id = ${merchant.id} order by created_at limit 1)`;
    const later = await merchant.anOrder();
    await fixture.pay(later);
    await expect.poll(() => merchant.told(later, "payment.paid").length, WITHIN).toBe(1);
    const [message] = merchant.told(later, "payment.paid");
    expect(signatureFault(next, message as never)).toBeUndefined();
    expect(signatureFault(merchant.secret, message as never)).toContain("No matching signature");
  });
});

describe("a sealed secret that does not open", () => {
  it("is an attempt that failed, which the operator sees; the message is sent when it opens again", async () => {
    const merchant = await fixture.aMerchant();
    const { sql } = fixture.broker;
    const flip = () => sql`
      update broker.merchant_webhook_secrets
      set sealed_secret = set_byte(sealed_secret, 20, 255 - get_byte(sealed_secret, 20))
      where merchant_id = ${merchant.id}`;
    await flip();
    const order = await merchant.anOrder();
    await fixture.pay(order);
    const fares = async () => (await readWebhookStates(sql, [merchant.id])).get(merchant.id);
    await expect.poll(fares, WITHIN).toEqual({ waiting: 1, failure: "not_signed" });
    await delay(A_WHILE_MS);
    const [{ attempts } = { attempts: 0 }] = await sql<{ attempts: number }[]>`
      select attempts from broker.merchant_events where session_id = ${order.session_id}`;
    expect(attempts).toBe(1);
    await flip();
    fixture.broker.advance(PAUSE_OVER_SECONDS);
    await merchant.hears(order, "payment.paid");
    await expect.poll(fares, WITHIN).toEqual({ waiting: 0, failure: null });
  });
});

describe("several brokers on one database", () => {
  it("send each message once between them, and what one wrote down before it ended", async () => {
    const merchant = await fixture.aMerchant();
    const next = createBroker(fixture.broker.options);
    next.startMerchantWebhooks();
    const orders = await Promise.all(Array.from({ length: 4 }, () => merchant.anOrder()));
    await Promise.all(orders.map((order) => fixture.pay(order)));
    for (const order of orders) await merchant.hears(order, "payment.paid");
    merchant.receiver.answer = () => 500;
    const order = await merchant.anOrder();
    await fixture.pay(order);
    await expect.poll(() => merchant.receiver.received.length, WITHIN).toBe(orders.length + 1);
    await fixture.broker.close();
    merchant.receiver.answer = () => 204;
    fixture.broker.advance(PAUSE_OVER_SECONDS);
    const { id } = await merchant.hears(order, "payment.paid");
    const times = timesById(merchant.receiver.received);
    expect(times.get(id)).toBe(2);
    times.delete(id);
    expect([...times.values()]).toEqual(orders.map(() => 1));
    await next.close();
  });
});
