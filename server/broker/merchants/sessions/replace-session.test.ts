import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker();
});
afterAll(() => broker.stop());

async function start(order: string, fields: object = {}) {
  const body = { kind: "pay" as const, amount: 5_000, order, origin: SHOP_ORIGIN, ...fields };
  const { reference = "", ...session } = (await broker.merchant.createSession({ body })).body;
  return { ...session, reference };
}

async function pay(reference: string, fields: object = {}) {
  const { payload, amount } = (await broker.entity.client.transactionQr({ query: { reference } })).body;
  const parties = { from_user_id: broker.ana.id, to_user_id: broker.shop.id };
  const body = { amount, ...parties, details: { qr: payload }, ...fields };
  return (await broker.entity.client.createTransaction({ body })).body.id;
}

const statusOf = async (session_id: string) => (await broker.merchant.sessionStatus({ params: { session_id } })).body;
/** The states of all codes of an order, the latest first. */
const states = async (order: string) =>
  (await broker.merchant.sessions({ query: { order } })).body.map(({ state, amount }) => [state, amount]);

describe("an order whose cart changed", () => {
  it("is refused with the session that is in the way, and replaced on demand, in one call", async () => {
    const order = v7();
    const first = await start(order);
    const refused = start(order, { amount: 7_000 });
    const detail = expect.stringContaining(first.session_id);
    await expect(refused).rejects.toMatchObject({ code: "idempotency_key_reused", detail });
    const second = await start(order, { amount: 7_000, replace: true });
    expect(second.session_id).not.toBe(first.session_id);
    expect(await states(order)).toEqual([
      ["unpaid", 7_000],
      ["cancelled", 5_000],
    ]);
    await expect(pay(first.reference)).rejects.toMatchObject({ code: "qr_cancelled" });
    const again = await start(order, { amount: 7_000, replace: true });
    expect([again.session_id, again.session]).toEqual([second.session_id, second.session]);
    const audit = await broker.sql`
      select outcome from broker.audit_records where subject = ${first.session_id} and action = 'cancel session'`;
    expect(audit).toEqual([{ outcome: "cancelled" }]);
  });

  it("keeps one code to pay, also of four replacements at once", async () => {
    const order = v7();
    await start(order);
    const amounts = Array.from({ length: 4 }, (_, index) => 6_000 + index);
    await Promise.allSettled(amounts.map((amount) => start(order, { amount, replace: true })));
    const open = (await states(order)).filter(([state]) => state === "unpaid");
    expect(open.length).toBeLessThanOrEqual(1);
    const last = await start(order, { amount: 9_000, replace: true });
    expect((await states(order)).filter(([state]) => state === "unpaid")).toEqual([["unpaid", 9_000]]);
    expect((await statusOf(last.session_id)).state).toBe("unpaid");
  });

  it("that was paid meanwhile, or is held, stays as it is, and nothing is made", async () => {
    for (const fields of [{}, { status: "pending" }]) {
      const order = v7();
      const { session_id, reference } = await start(order);
      await pay(reference, fields);
      const detail = expect.stringContaining(session_id);
      const replaced = start(order, { amount: 7_000, replace: true });
      await expect(replaced).rejects.toMatchObject({ code: "qr_already_paid", detail });
      expect(await states(order)).toHaveLength(1);
    }
  });

  it("that has expired gets another session as without replace; a session without an order replaces none", async () => {
    const order = v7();
    const { session_id } = await start(order, { expires_in: 30 });
    broker.advance(31);
    expect((await start(order, { amount: 7_000, replace: true })).session_id).not.toBe(session_id);
    const body = { kind: "pay" as const, amount: 5_000, origin: SHOP_ORIGIN, replace: true };
    const faults = [expect.objectContaining({ pointer: "/replace" })];
    await expect(broker.merchant.createSession({ body })).rejects.toMatchObject({ code: "invalid_request", faults });
  });
});

describe("a state that is final", () => {
  it("is cancelled, and expired unless a hold has the code, which may settle or release it afterwards", async () => {
    const cancelled = await start(v7(), { expires_in: 30 });
    const expired = await start(v7(), { expires_in: 30 });
    const settled = await start(v7(), { expires_in: 30 });
    const released = await start(v7(), { expires_in: 30 });
    const holds = [
      await pay(settled.reference, { status: "pending" }),
      await pay(released.reference, { status: "pending" }),
    ];
    await broker.merchant.cancelSession({ params: { session_id: cancelled.session_id } });
    broker.advance(31);
    for (const { session_id } of [settled, released]) expect((await statusOf(session_id)).state).toBe("pending");
    await expect(pay(cancelled.reference)).rejects.toMatchObject({ code: "qr_cancelled" });
    await expect(pay(expired.reference)).rejects.toMatchObject({ code: "qr_expired" });
    const { client } = broker.entity;
    await client.settleTransaction({ body: { id: holds[0] ?? "", status: "approved" } });
    await client.settleTransaction({ body: { id: holds[1] ?? "", status: "rejected" } });
    const all = [cancelled, expired, settled, released];
    const found = await Promise.all(all.map(async ({ session_id }) => (await statusOf(session_id)).state));
    expect(found).toEqual(["cancelled", "expired", "paid", "expired"]);
    await expect(pay(released.reference)).rejects.toMatchObject({ code: "qr_expired" });
  });
});
