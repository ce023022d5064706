import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  aMerchantWebhookFixture,
  type MerchantWebhookFixture,
  type NotifiedMerchant,
  WITHIN,
} from "../../../../test/support/merchant-webhook-fixture.ts";
import { forgetMerchantEvents } from "./event-store.ts";

let fixture: MerchantWebhookFixture;
let merchant: NotifiedMerchant;
beforeAll(async () => {
  // The service reports everything to the broker here: the broker need not poll.
  fixture = await aMerchantWebhookFixture({ merchantWebhooks: { watchEveryMs: 3_600_000 } });
  merchant = await fixture.aMerchant();
});
afterAll(() => fixture.stop());

type Query = Parameters<NotifiedMerchant["backend"]["webhookDeliveries"]>[0]["query"];
const listed = async (query: Query = {}, of = merchant) => (await of.backend.webhookDeliveries({ query })).body;
const redeliver = (event_id: string, of = merchant) => of.backend.redeliverWebhook({ params: { event_id } });

async function aPaidOrder() {
  const order = await merchant.anOrder();
  await fixture.pay(order);
  return { order, message: await merchant.hears(order, "payment.paid") };
}

describe("a merchant's deliveries", () => {
  it("are listed newest first, with what became of each, and are nobody else's", async () => {
    const { order, message } = await aPaidOrder();
    await expect.poll(async () => (await listed())[0]?.state, WITHIN).toBe("delivered");
    const [newest] = await listed();
    expect(newest).toMatchObject({
      ...{ event_id: message.id, event_type: "payment.paid", session_id: order.session_id, last_status: 204 },
      delivered_at: expect.any(String),
    });
    merchant.receiver.answer = () => 500;
    const other = await merchant.anOrder();
    await fixture.pay(other);
    await expect.poll(async () => (await listed({ state: "waiting" }))[0]?.last_error, WITHIN).toBe("refused");
    const [waiting] = await listed({ state: "waiting" });
    expect(waiting).toMatchObject({
      session_id: other.session_id,
      last_status: 500,
      next_attempt_at: expect.any(String),
    });
    const first = await merchant.backend.webhookDeliveries({ query: { limit: "1" } });
    const rest = await listed({ ...(first.nextCursor && { cursor: first.nextCursor }) });
    expect([...first.body, ...rest].map(({ event_id: id }) => id)).toEqual([waiting?.event_id, message.id]);
    expect(await listed({}, await fixture.aMerchant())).toEqual([]);
    merchant.receiver.answer = () => 204;
    await redeliver(waiting?.event_id ?? "");
    await merchant.hears(other, "payment.paid");
  });

  it("are sent again on demand, with the same id, signed anew", async () => {
    const { order, message } = await aPaidOrder();
    await expect.poll(async () => (await listed())[0]?.state, WITHIN).toBe("delivered");
    expect((await redeliver(message.id)).body).toMatchObject({ event_id: message.id, state: "waiting" });
    await expect.poll(() => merchant.told(order, "payment.paid").length, WITHIN).toBeGreaterThan(1);
    const [first, again] = merchant.told(order, "payment.paid");
    expect([again?.id, again?.body]).toEqual([first?.id, first?.body]);
  });

  it("are not sent again for anybody else, nor once their text is forgotten", async () => {
    const { message } = await aPaidOrder();
    const other = await fixture.aMerchant();
    await expect(redeliver(message.id, other)).rejects.toMatchObject({ code: "not_found" });
    await expect(redeliver(v7())).rejects.toMatchObject({ code: "not_found" });
    await forgetMerchantEvents(fixture.broker.sql, new Date(Date.now() + 31 * 24 * 60 * 60 * 1000));
    await expect(redeliver(message.id)).rejects.toMatchObject({ code: "not_found" });
  });
});
