import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, type TestBroker } from "../../../../test/support/broker.ts";
import { aTill, fundShop } from "../../../../test/support/till.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  await fundShop(broker);
});
afterAll(() => broker.stop());

describe("the list of top-ups", () => {
  it("has a till's own of today, newest first, in pages that join without a gap", async () => {
    const till = await aTill(broker);
    const handle = await till.find();
    const sold = [];
    for (const amount of [1_000, 2_000, 900_000_000, 4_000]) sold.push((await till.sell(handle, amount)).body);
    const { body: all } = await till.recharges({ query: {} });
    expect(all).toEqual(sold.toReversed());
    const first = await till.recharges({ query: { limit: "3" } });
    const rest = await till.recharges({ query: { limit: "3", cursor: first.nextCursor ?? "" } });
    expect([...first.body, ...rest.body]).toEqual(all);
    expect(rest.nextCursor).toBeUndefined();
    await expect(till.recharges({ query: { cursor: "nonsense" } })).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  it("gives a till no other till's and no other day's", async () => {
    const till = await aTill(broker, { till: "caja 3" });
    for (const query of [{ till: "caja 4" }, { day: "2026-01-01" }]) {
      await expect(till.recharges({ query })).rejects.toMatchObject({ code: "not_allowed" });
    }
    expect((await till.recharges({ query: { till: "caja 3" } })).status).toBe(200);
    expect((await (await aTill(broker, { till: "caja 4" })).recharges({ query: {} })).body).toEqual([]);
  });

  it("gives a merchant's backend any day of any till, by the business time zone", async () => {
    const name = v7();
    const till = await aTill(broker, { till: name });
    const { body: sale } = await till.sell(await till.find(), 1_000);
    const day = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Bogota" }).format(new Date(sale.created_at));
    const today = await broker.merchant.recharges({ query: { till: name } });
    expect(today.body).toEqual([sale]);
    expect((await broker.merchant.recharges({ query: {} })).body[0]).toEqual(sale);
    broker.advance(24 * 60 * 60);
    expect((await broker.merchant.recharges({ query: { till: name } })).body).toEqual([]);
    expect((await broker.merchant.recharges({ query: { day, till: name } })).body).toEqual([sale]);
    expect((await (await aTill(broker, { till: name })).shown()).sold_today).toEqual({ count: 0, amount: 0 });
  });
});
