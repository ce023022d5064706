import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MerchantEvent } from "../../../../src/contract/broker/merchant-events.ts";
import { fits } from "../../../../src/contract/shared/validate.ts";
import {
  aMerchantWebhookFixture,
  type MerchantWebhookFixture,
  WITHIN,
} from "../../../../test/support/merchant-webhook-fixture.ts";
import { setPowers } from "../../../../test/support/set-powers.ts";

let fixture: MerchantWebhookFixture;
beforeAll(async () => {
  // The service reports everything to the broker here: the broker need not poll.
  fixture = await aMerchantWebhookFixture({ merchantWebhooks: { watchEveryMs: 3_600_000 } });
});
afterAll(() => fixture.stop());

/** Long enough for a message that must not come. */
const A_WHILE_MS = 400;

describe("a merchant hears", () => {
  it("of each sum that was given back, with the refund, whoever made it", async () => {
    const merchant = await fixture.aMerchant();
    const order = await merchant.anOrder();
    const id = await fixture.pay(order);
    await merchant.hears(order, "payment.paid");
    await fixture.refund(id, 5_000);
    const { event } = await merchant.hears(order, "payment.refunded");
    expect(fits(MerchantEvent, event)).toBe(true);
    const given = { id: expect.any(String), transaction_id: expect.any(String), amount: 5_000 };
    expect(event.data).toMatchObject({ transaction_id: id, refunded_amount: 5_000, refund: given });
    const { id: refundId, transaction_id: refundOf } = (event as MerchantEvent).data.refund ?? {};
    expect(refundId).toBe(refundOf);
    await setPowers(fixture.broker, { refunds: true });
    const asked = { params: { payment_id: id }, body: { reason: "sin existencias" } };
    const { body: made } = await merchant.backend.createRefund(asked, { idempotencyKey: id });
    await expect.poll(() => merchant.told(order, "payment.refunded").length, WITHIN).toBe(2);
    const [, last] = merchant.told(order, "payment.refunded").map((message) => message.event.data);
    expect(last).toMatchObject({
      refunded_amount: 25_000,
      refund: { id: made.id, transaction_id: made.transaction_id, amount: 20_000, reason: "sin existencias" },
    });
    expect(merchant.told(order, "payment.paid")).toHaveLength(1);
  });

  it("of each of two refunds between two looks, with the sum by then", async () => {
    const merchant = await fixture.aMerchant();
    const order = await merchant.anOrder();
    const id = await fixture.pay(order);
    await merchant.hears(order, "payment.paid");
    const { sql } = fixture.broker;
    await sql`update broker.merchants set webhook_url = null where id = ${merchant.id}`;
    await fixture.refund(id, 5_000);
    await fixture.refund(id, 1_000);
    await delay(A_WHILE_MS);
    await sql`update broker.merchants set webhook_url = ${merchant.receiver.url} where id = ${merchant.id}`;
    await fixture.refund(id, 2_000);
    await expect.poll(() => merchant.told(order, "payment.refunded").length, WITHIN).toBe(3);
    const told = merchant.told(order, "payment.refunded").map(({ event }) => (event as MerchantEvent).data);
    const sums = told.map(({ refunded_amount: sum, refund }) => [sum, refund?.amount]);
    expect(sums.toSorted(([one = 0], [other = 0]) => one - other)).toEqual([
      [5_000, 5_000],
      [6_000, 1_000],
      [8_000, 2_000],
    ]);
  });
});
