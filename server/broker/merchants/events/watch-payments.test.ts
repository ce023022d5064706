import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  aMerchantWebhookFixture,
  type MerchantWebhookFixture,
  type NotifiedMerchant,
  WITHIN,
} from "../../../../test/support/merchant-webhook-fixture.ts";

/** The polling interval of the broker here. */
const WATCH_MS = 100;
/** Several polls. */
const A_WHILE_MS = 6 * WATCH_MS;
/** Without open codes a merchant is looked at each five minutes. */
const QUIET_OVER_SECONDS = 301;

let fixture: MerchantWebhookFixture;
let merchant: NotifiedMerchant;
beforeAll(async () => {
  // No message of the service reaches the broker.
  fixture = await aMerchantWebhookFixture({ merchantWebhooks: { watchEveryMs: WATCH_MS }, isRegistered: false });
  merchant = await fixture.aMerchant();
});
afterAll(() => fixture.stop());

describe("a broker that the service tells nothing of", () => {
  it("finds payments and refunds by itself, once each", async () => {
    const order = await merchant.anOrder();
    await delay(A_WHILE_MS);
    const id = await fixture.pay(order);
    expect((await merchant.hears(order, "payment.paid")).event.data.transaction_id).toBe(id);
    await fixture.refund(id, 5_000);
    fixture.broker.advance(QUIET_OVER_SECONDS);
    expect((await merchant.hears(order, "payment.refunded")).event.data.refunded_amount).toBe(5_000);
    await fixture.refund(id);
    fixture.broker.advance(QUIET_OVER_SECONDS);
    await expect.poll(() => merchant.told(order, "payment.refunded").length, WITHIN).toBe(2);
    expect(merchant.told(order, "payment.paid")).toHaveLength(1);
  });

  it("finds what expired, and asks no more of a code that was withdrawn", async () => {
    const order = await merchant.anOrder({ expires_in: 30 });
    const cancelled = await merchant.anOrder({ expires_in: 30 });
    await fixture.broker.entity.client.cancelTransactionQr({ body: { reference: cancelled.reference } });
    fixture.broker.advance(30 + 21);
    expect((await merchant.hears(order, "payment.expired")).event.data.order).toBe(order.order);
    fixture.broker.advance(120);
    await delay(A_WHILE_MS);
    fixture.broker.asked.length = 0;
    await delay(A_WHILE_MS);
    expect(fixture.broker.asked).not.toContain("/transaction-qr");
    expect(merchant.receiver.received.filter(({ body }) => body.includes(cancelled.session_id))).toEqual([]);
  });

  it("waits for a hold that has the code: paid when it settles, expired when it is released", async () => {
    const [kept, released] = [await merchant.anOrder({ expires_in: 30 }), await merchant.anOrder({ expires_in: 30 })];
    const [keptId, releasedId] = [
      await fixture.pay(kept, { status: "pending" }),
      await fixture.pay(released, { status: "pending" }),
    ];
    fixture.broker.advance(30 + 21);
    await delay(A_WHILE_MS);
    const { client } = fixture.broker.entity;
    await client.settleTransaction({ body: { id: keptId, status: "approved" } });
    await client.settleTransaction({ body: { id: releasedId, status: "rejected" } });
    fixture.broker.advance(QUIET_OVER_SECONDS);
    await merchant.hears(kept, "payment.paid");
    await merchant.hears(released, "payment.expired");
    await expect.poll(() => fixture.broker.sql`select from broker.merchant_second_looks`, WITHIN).toEqual([]);
    expect(merchant.told(kept, "payment.expired")).toEqual([]);
  });

  it("tells a merchant that sets its webhook later of nothing from before", async () => {
    const late = await fixture.aMerchant();
    const { sql } = fixture.broker;
    await sql`update broker.merchants set webhook_url = null where id = ${late.id}`;
    const old = await late.anOrder();
    const id = await fixture.pay(old);
    const since = new Date(fixture.broker.options.clock().getTime() + 301_000);
    await sql`update broker.merchant_webhook_secrets set created_at = ${since} where merchant_id = ${late.id}`;
    await sql`update broker.merchants set webhook_url = ${late.receiver.url} where id = ${late.id}`;
    fixture.broker.advance(5);
    const order = await late.anOrder();
    await fixture.pay(order);
    await late.hears(order, "payment.paid");
    // A refund of an earlier payment is reported all the same.
    await fixture.refund(id, 5_000);
    fixture.broker.advance(QUIET_OVER_SECONDS);
    await late.hears(old, "payment.refunded");
    expect(late.told(old, "payment.paid")).toEqual([]);
  });

  it("finds what becomes of a disabled merchant's codes, which were shown before and can still be paid", async () => {
    const ended = await fixture.aMerchant();
    const [order, lapsing] = [await ended.anOrder(), await ended.anOrder({ expires_in: 30 })];
    await delay(A_WHILE_MS);
    await fixture.broker.sql`update broker.merchants set disabled_at = now() where id = ${ended.id}`;
    const id = await fixture.pay(order);
    await ended.hears(order, "payment.paid");
    await fixture.refund(id);
    fixture.broker.advance(QUIET_OVER_SECONDS);
    await ended.hears(order, "payment.refunded");
    await ended.hears(lapsing, "payment.expired");
  });

  it("starts the list anew when the service forgot its place, and tells nothing twice", async () => {
    const order = await merchant.anOrder();
    const { sql } = fixture.broker;
    await sql`update broker.merchant_watches set sync_token = 'lost' where merchant_id = ${merchant.id}`;
    const id = await fixture.pay(order);
    expect((await merchant.hears(order, "payment.paid")).event.data.transaction_id).toBe(id);
    const [place] = await sql`select sync_token from broker.merchant_watches where merchant_id = ${merchant.id}`;
    expect(place?.sync_token).not.toBe("lost");
    const ids = merchant.receiver.received.map((message) => message.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
