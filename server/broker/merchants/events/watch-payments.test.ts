import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  aMerchantWebhookWorld,
  type MerchantWebhookWorld,
  type ToldMerchant,
  WITHIN,
} from "../../../../test/support/merchant-webhook-world.ts";

/** The polling interval of the broker here. */
const WATCH_MS = 100;
/** Several polls. */
const A_WHILE_MS = 6 * WATCH_MS;
/** Without open codes a merchant is looked at each five minutes. */
const QUIET_OVER_SECONDS = 301;

let world: MerchantWebhookWorld;
let merchant: ToldMerchant;
beforeAll(async () => {
  // No message of the service reaches the broker.
  world = await aMerchantWebhookWorld({ merchantWebhooks: { watchEveryMs: WATCH_MS }, isRegistered: false });
  merchant = await world.aMerchant();
});
afterAll(() => world.stop());

describe("a broker that the service tells nothing of", () => {
  it("finds payments and refunds by itself, once each", async () => {
    const order = await merchant.anOrder();
    await delay(A_WHILE_MS);
    const id = await world.pay(order);
    expect((await merchant.hears(order, "payment.paid")).event.data.transaction_id).toBe(id);
    await world.refund(id, 5_000);
    world.broker.advance(QUIET_OVER_SECONDS);
    expect((await merchant.hears(order, "payment.refunded")).event.data.refunded_amount).toBe(5_000);
    await world.refund(id);
    world.broker.advance(QUIET_OVER_SECONDS);
    await expect.poll(() => merchant.told(order, "payment.refunded").length, WITHIN).toBe(2);
    expect(merchant.told(order, "payment.paid")).toHaveLength(1);
  });

  it("finds what expired, and asks no more of a code that was withdrawn", async () => {
    const order = await merchant.anOrder({ expires_in: 30 });
    const cancelled = await merchant.anOrder({ expires_in: 30 });
    await world.broker.entity.client.cancelTransactionQr({ body: { reference: cancelled.reference } });
    world.broker.advance(30 + 21);
    expect((await merchant.hears(order, "payment.expired")).event.data.order).toBe(order.order);
    world.broker.advance(120);
    await delay(A_WHILE_MS);
    world.broker.asked.length = 0;
    await delay(A_WHILE_MS);
    expect(world.broker.asked).not.toContain("/transaction-qr");
    expect(merchant.receiver.received.filter(({ body }) => body.includes(cancelled.session_id))).toEqual([]);
  });

  it("waits for a hold that has the code: paid when it settles, expired when it is released", async () => {
    const [kept, released] = [await merchant.anOrder({ expires_in: 30 }), await merchant.anOrder({ expires_in: 30 })];
    const [keptId, releasedId] = [
      await world.pay(kept, { status: "pending" }),
      await world.pay(released, { status: "pending" }),
    ];
    world.broker.advance(30 + 21);
    await delay(A_WHILE_MS);
    const { client } = world.broker.entity;
    await client.settleTransaction({ body: { id: keptId, status: "approved" } });
    await client.settleTransaction({ body: { id: releasedId, status: "rejected" } });
    world.broker.advance(QUIET_OVER_SECONDS);
    await merchant.hears(kept, "payment.paid");
    await merchant.hears(released, "payment.expired");
    await expect.poll(() => world.broker.sql`select from broker.merchant_second_looks`, WITHIN).toEqual([]);
    expect(merchant.told(kept, "payment.expired")).toEqual([]);
  });

  it("tells a merchant that sets its webhook later of nothing from before", async () => {
    const late = await world.aMerchant();
    const { sql } = world.broker;
    await sql`update broker.merchants set webhook_url = null where id = ${late.id}`;
    const old = await late.anOrder();
    const id = await world.pay(old);
    const since = new Date(world.broker.options.clock().getTime() + 301_000);
    await sql`update broker.merchant_webhook_secrets set created_at = ${since} where merchant_id = ${late.id}`;
    await sql`update broker.merchants set webhook_url = ${late.receiver.url} where id = ${late.id}`;
    world.broker.advance(5);
    const order = await late.anOrder();
    await world.pay(order);
    await late.hears(order, "payment.paid");
    // A refund of an earlier payment is reported all the same.
    await world.refund(id, 5_000);
    world.broker.advance(QUIET_OVER_SECONDS);
    await late.hears(old, "payment.refunded");
    expect(late.told(old, "payment.paid")).toEqual([]);
  });

  it("finds what becomes of a disabled merchant's codes, which were shown before and can still be paid", async () => {
    const ended = await world.aMerchant();
    const [order, lapsing] = [await ended.anOrder(), await ended.anOrder({ expires_in: 30 })];
    await delay(A_WHILE_MS);
    await world.broker.sql`update broker.merchants set disabled_at = now() where id = ${ended.id}`;
    const id = await world.pay(order);
    await ended.hears(order, "payment.paid");
    await world.refund(id);
    world.broker.advance(QUIET_OVER_SECONDS);
    await ended.hears(order, "payment.refunded");
    await ended.hears(lapsing, "payment.expired");
  });

  it("starts the list anew when the service forgot its place, and tells nothing twice", async () => {
    const order = await merchant.anOrder();
    const { sql } = world.broker;
    await sql`update broker.merchant_watches set sync_token = 'lost' where merchant_id = ${merchant.id}`;
    const id = await world.pay(order);
    expect((await merchant.hears(order, "payment.paid")).event.data.transaction_id).toBe(id);
    const [place] = await sql`select sync_token from broker.merchant_watches where merchant_id = ${merchant.id}`;
    expect(place?.sync_token).not.toBe("lost");
    const ids = merchant.receiver.received.map((message) => message.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
