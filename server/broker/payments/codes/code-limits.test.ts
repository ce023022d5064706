import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";

const DAY_SECONDS = 86_400;

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker();
});
afterAll(() => broker.stop());

/** How many of so many calls were answered, and the first refusal. */
async function tryOften(times: number, call: () => Promise<unknown>) {
  let done = 0;
  for (let time = 0; time < times; time += 1) {
    try {
      await call();
      done += 1;
    } catch (error) {
      return { done, refusal: error };
    }
  }
  return { done, refusal: undefined };
}

describe("the number of codes", () => {
  it("that one session makes is bounded, and another session or person makes theirs", async () => {
    const [ana, shop] = [await broker.as("payer"), await broker.as("merchant")];
    const { done, refusal } = await tryOften(200, () => ana.createMyQr({ body: { amount: 1_000 } }));
    expect(done).toBeLessThanOrEqual(125);
    expect(refusal).toMatchObject({ code: "too_many_requests", retryAfter: expect.any(Number) });
    expect((await shop.createMyQr({ body: { amount: 1_000 } })).status).toBe(201);
    expect((await (await broker.as("payer")).createMyQr({ body: { amount: 1_000 } })).status).toBe(201);
  });

  it("that one key has at once is bounded also where they last a day", async () => {
    const body = { kind: "pay" as const, amount: 1_000, origin: SHOP_ORIGIN, expires_in: DAY_SECONDS };
    const { done, refusal } = await tryOften(100, () => broker.merchant.createSession({ body }));
    expect(done).toBeGreaterThanOrEqual(50);
    expect(done).toBeLessThan(60);
    expect(refusal).toMatchObject({ code: "too_many_requests", retryAfter: expect.any(Number) });
  });
});
