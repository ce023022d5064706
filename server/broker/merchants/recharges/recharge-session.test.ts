import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { aTill, fundShop, topUpsSent } from "../../../../test/support/till.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  await fundShop(broker);
});
afterAll(() => broker.stop());

const sent = () => topUpsSent(broker);

describe("a till's session", () => {
  it("sells no top-up over its limit for one", async () => {
    const till = await aTill(broker, { max_amount: 5_000 });
    const [handle, before] = [await till.find(), await sent()];
    await expect(till.sell(handle, 5_000.01)).rejects.toMatchObject({
      code: "limit_exceeded",
      detail: "One top-up here is at most 5000 COP. Nothing was sold.",
    });
    expect(await sent()).toBe(before);
    expect((await till.sell(handle, 5_000)).body.state).toBe("approved");
  });

  it("sells no more than its limit for all, whoever asks at once", async () => {
    const till = await aTill(broker, { till: v7(), max_total: 7_000 });
    const [handle, before] = [await till.find(), await sent()];
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => till.sell(handle, 1_000)));
    const sold = answers.filter(({ status }) => status === "fulfilled");
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
    expect([sold.length, refused.length]).toEqual([7, 13]);
    for (const reason of refused) expect(reason).toMatchObject({ code: "limit_exceeded" });
    expect(await sent()).toBe(before + 7);
    expect(await till.shown()).toMatchObject({ left_to_sell: 0, sold_today: { count: 7, amount: 7_000 } });
  });

  it("gets back what a rejected sale would have taken of its limit, and tells what is left", async () => {
    const till = await aTill(broker, { max_total: 900_000_000_000 });
    const handle = await till.find();
    await broker.entity.client.blockUser({ body: { id: broker.shop.id } });
    expect((await till.sell(handle, 600_000_000_000)).body).toMatchObject({
      state: "rejected",
      reason: "payer_blocked",
    });
    await broker.entity.client.unblockUser({ body: { id: broker.shop.id } });
    expect((await till.shown()).left_to_sell).toBe(900_000_000_000);
    await expect(till.sell(handle, 900_000_000_000.01)).rejects.toMatchObject({
      detail: "This session may still sell 900000000000 COP. Nothing was sold.",
    });
  });

  it("shows whose it is and what the till sold today, and keeps its ETag while only the time goes on", async () => {
    const till = await aTill(broker, { till: "caja 7", max_amount: 50_000, max_total: 80_000 });
    const first = await till.widgetSession({});
    expect(first.body).toMatchObject({
      ...{ kind: "recharge", seller: "Café La Esquina", till: "caja 7", currency: "COP", max_amount: 50_000 },
      ...{ left_to_sell: 80_000, sold_today: { count: 0, amount: 0 } },
    });
    broker.advance(3);
    expect((await till.widgetSession({}, { etag: first.etag ?? "" })).status).toBe(304);
    await till.sell(await till.find(), 30_000);
    const second = await till.widgetSession({});
    expect(second.etag).not.toBe(first.etag);
    expect(second.body).toMatchObject({ left_to_sell: 50_000, sold_today: { count: 1, amount: 30_000 } });
    expect(second.body.expires_in).toBeLessThan(first.body.expires_in);
    // The next session starts with its own limit, on the same day.
    const renewed = await aTill(broker, { till: "caja 7", max_total: 80_000 });
    expect(await renewed.shown()).toMatchObject({ left_to_sell: 80_000, sold_today: { count: 1, amount: 30_000 } });
  });

  it.each([
    ["expired", async () => broker.advance(901)],
    ["was ended", async (session_id: string) => broker.merchant.cancelSession({ params: { session_id } })],
    ["is of a disabled merchant", async () => broker.sql`update broker.merchants set disabled_at = created_at`],
  ])("that %s shows, finds, sells and lists nothing", async (_name, end) => {
    const till = await aTill(broker);
    const [handle, before] = [await till.find(), await sent()];
    await end(till.id);
    const asking = [till.shown, till.find, () => till.sell(handle, 1_000), () => till.recharges({ query: {} })];
    for (const ask of asking) await expect(ask()).rejects.toMatchObject({ code: "unauthorized" });
    expect(await sent()).toBe(before);
    await broker.sql`update broker.merchants set disabled_at = null`;
  });

  it("that is ended while a sale waits for its turn sells nothing more", async () => {
    const till = await aTill(broker);
    const [handle, before] = [await till.find(), await sent()];
    let sale: Promise<unknown> = Promise.resolve();
    await broker.sql.begin(async (tx) => {
      await tx`update broker.widget_sessions set ended_at = created_at where id = ${till.id}`;
      sale = till.sell(handle, 1_000).catch((error: unknown) => error);
      await expect
        .poll(async () => {
          const waiting = await broker.sql`select from pg_stat_activity where wait_event_type = 'Lock'
            and datname = current_database() and query like '%broker.widget_sessions%for update%'`;
          return waiting.length;
        })
        .toBe(1);
    });
    expect(await sale).toMatchObject({ code: "unauthorized" });
    expect(await sent()).toBe(before);
  });

  it("of a payment finds and lists nothing", async () => {
    const { body } = await broker.merchant.createSession({ body: { kind: "pay", amount: 5, origin: SHOP_ORIGIN } });
    const page = broker.till(body.session);
    await expect(page.lookUp({ body: { phone: broker.ben.phone } })).rejects.toMatchObject({ code: "not_found" });
    await expect(page.recharges({ query: {} })).rejects.toMatchObject({ code: "not_found" });
  });
});
