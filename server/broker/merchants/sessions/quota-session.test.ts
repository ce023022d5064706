import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aBroker, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { setPowers } from "../../../../test/support/set-powers.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  await setPowers(broker, { firstParty: true });
});
afterAll(() => broker.stop());
beforeEach(() => {
  // Lets cached answers of another test expire.
  broker.advance(5);
});

async function aPage(user: string) {
  const body = { kind: "quota" as const, user, origin: SHOP_ORIGIN };
  const page = broker.quotaPage((await broker.merchant.createSession({ body })).body.session);
  broker.asked.length = 0;
  return async () => (await page.widgetSession({})).body;
}

const asked = () => broker.asked.filter((path) => path !== "/oauth2/token").sort();
const pay = (from_user_id: string, to_user_id: string, amount: number) =>
  broker.entity.client.createTransaction({ body: { from_user_id, to_user_id, amount } });

describe("a quota that pages show", () => {
  it("is asked of the service once in five seconds, for all pages of the user together", async () => {
    const [one, two] = [await aPage(broker.ana.id), await aPage(broker.ana.id)];
    const shown = await Promise.all(Array.from({ length: 60 }, (_, number) => (number % 2 === 0 ? one() : two())));
    expect(new Set(shown.map(({ as_of, quota_available }) => `${as_of} ${quota_available}`)).size).toBe(1);
    expect(asked()).toEqual(["/transaction-history", "/user"]);
    broker.advance(5);
    const later = await one();
    expect(asked()).toHaveLength(4);
    expect(Date.parse(later.as_of) - Date.parse(shown[0]?.as_of ?? "")).toBeGreaterThanOrEqual(5_000);
  });

  it("is never older than that: what was paid meanwhile is there after five seconds", async () => {
    const page = await aPage(broker.ana.id);
    const before = await page();
    await pay(broker.ana.id, broker.ben.id, 1_500);
    broker.advance(5);
    const after = await page();
    expect(after.quota_available).toBe((before.quota_available ?? 0) - 1_500);
    expect(after.movements[0]).toMatchObject({ direction: "sent", counterparty: "Ben R.", amount: 1_500 });
  });

  it("has at once what the person pays in the app", async () => {
    const page = await aPage(broker.ana.id);
    const before = await page();
    const ana = await broker.as("payer");
    const { handle } = (await ana.lookUp({ body: { phone: broker.ben.phone } })).body;
    const { id, payee, amount } = (await ana.openApproval({ body: { handle, amount: 1_000 } })).body;
    await ana.confirmApproval({ params: { id }, body: { payee, amount, demo: true } });
    expect((await page()).quota_available).toBe((before.quota_available ?? 0) - 1_000);
  });

  it("says when it was read, and how long the page still has now", async () => {
    const page = await aPage(broker.ana.id);
    const first = await page();
    broker.advance(4);
    const second = await page();
    expect(second.as_of).toBe(first.as_of);
    expect(first.expires_in - second.expires_in).toBeGreaterThanOrEqual(4);
    expect(asked()).toHaveLength(2);
  });

  it("is each user's own, though all are asked for at once", async () => {
    await pay(broker.ben.id, broker.ana.id, 700);
    const pages = [await aPage(broker.ana.id), await aPage(broker.ben.id)];
    const shown = await Promise.all(Array.from({ length: 20 }, (_, number) => pages[number % 2]?.()));
    for (const [number, quota] of shown.entries()) {
      expect(quota?.name).toBe(number % 2 === 0 ? "Ana Torres" : "Ben Ruiz");
      expect(quota?.movements[0]?.direction).toBe(number % 2 === 0 ? "received" : "sent");
    }
  });

  it("ends with its session, however lately it was read", async () => {
    const page = await aPage(broker.ana.id);
    await page();
    await broker.sql`update broker.widget_sessions set ended_at = ${broker.options.clock()}`;
    await expect(page()).rejects.toMatchObject({ code: "unauthorized" });
  });
});
