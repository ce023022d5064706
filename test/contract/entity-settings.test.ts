import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Transaction } from "../../src/contract/service/transactions.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, type RawClient, rawClient, refusalOf, times } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;
let payer: string;
let shop: string;

beforeAll(async () => {
  service = await aService();
});
beforeEach(async () => {
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  raw = await rawClient(service, fintech);
  payer = (await aUser(fintech, { quota: 1_000 })).id;
  shop = (await aUser(other, { quota: 1_000 })).id;
});
afterAll(() => service.stop());

const rest = { transfer_limit: null, lenders: [], foreign_lenders: "principal" };
const nothing = { blocking_statuses: [], payment_limit: null, daily_limit: null, ...rest };
const put = async (body: object) => (await fintech.client.putEntitySettings({ body })).body;
const read = async (entity = fintech) => (await entity.client.entitySettings({})).body;

async function pay(amount: number, more: object = {}): Promise<string> {
  const body = { amount, from_user_id: payer, to_user_id: shop, ...more };
  const made: Transaction = (await fintech.client.createTransaction({ body })).body;
  return made.reason ?? made.status;
}

async function payMany(amounts: readonly number[]): Promise<(string | null)[]> {
  const payments = amounts.map((amount) => ({ amount, to_user_id: shop }));
  const { body } = await fintech.client.createPaymentTransaction({ body: { from_user_id: payer, payments } });
  return body.map(({ reason, status }) => reason ?? (status === "rejected" ? null : status));
}

describe("entity settings", () => {
  it("leave a record of who changed them", async () => {
    await put({ payment_limit: 5 });
    await raw("putEntitySettings", { body: { payment_limit: -1 } });
    const records = await service.sql`
      select made_by, action, outcome from service.access_records where subject = ${fintech.entityId}`;
    expect([...records]).toEqual([{ made_by: fintech.clientId, action: "putEntitySettings", outcome: "done" }]);
  });

  it("are empty until they are set, and keep what a request leaves out", async () => {
    expect(await read()).toEqual(nothing);
    expect(await put({})).toEqual(nothing);
    expect(await put({ payment_limit: 100.5 })).toEqual({ ...nothing, payment_limit: 100.5 });
    const statuses = { blocking_statuses: ["default", "arrear"] };
    expect(await put(statuses)).toEqual({ ...statuses, payment_limit: 100.5, daily_limit: null, ...rest });
    expect(await put({ daily_limit: 200 })).toEqual({
      ...statuses,
      payment_limit: 100.5,
      daily_limit: 200,
      ...rest,
    });
    expect(await put({ payment_limit: null })).toEqual({
      ...statuses,
      payment_limit: null,
      daily_limit: 200,
      ...rest,
    });
    expect(await put({ blocking_statuses: [], daily_limit: null })).toEqual(nothing);
    expect(await put({ lenders: "all" })).toEqual({ ...nothing, lenders: "all" });
    const named = [other.entityId];
    expect(await put({ lenders: [other.entityId.toUpperCase()] })).toEqual({ ...nothing, lenders: named });
    expect(await put({ payment_limit: null })).toEqual({ ...nothing, lenders: named });
    expect(await put({ lenders: [] })).toEqual(nothing);
    expect(await put({ foreign_lenders: "owed" })).toEqual({ ...nothing, foreign_lenders: "owed" });
    expect(await put({ foreign_lenders: "none" })).toEqual({ ...nothing, foreign_lenders: "none" });
    expect(await put({ foreign_lenders: "principal" })).toEqual(nothing);
    expect(await read()).toEqual(nothing);
  });

  it("are each entity's own: another neither reads nor changes them, and its users pay as before", async () => {
    await put({ payment_limit: 1, blocking_statuses: ["active"] });
    expect(await read(other)).toEqual(nothing);
    const body = { amount: 5, from_user_id: shop, to_user_id: payer };
    expect((await other.client.createTransaction({ body })).body.status).toBe("approved");
  });

  it("limit one payment, of every kind, and no ledger transfer", async () => {
    await put({ payment_limit: 10 });
    expect([await pay(10), await pay(10.01)]).toEqual(["approved", "limit_exceeded"]);
    expect(await pay(10.01, { status: "pending" })).toBe("limit_exceeded");
    const body = { amount: 10.01, from_user_id: payer, to_user_id: shop };
    expect((await fintech.client.createRechargeTransaction({ body })).body.reason).toBe("limit_exceeded");
    const { body: qr } = await other.client.createTransactionQr({ body: { amount: 11, to_user_id: shop } });
    expect(await pay(11, { details: { qr: qr.payload } })).toBe("limit_exceeded");
    const { body: standing } = await other.client.transactionQr({ query: { reference: qr.reference ?? "" } });
    expect(standing.state).toBe("unpaid");
    expect(await payMany([1, 10.01, 2])).toEqual([null, "limit_exceeded", null]);
    const transfer = { from_user_id: payer, to_user_id: shop, amount: 11 };
    expect((await fintech.client.createLedgerTransaction({ body: transfer })).body[0]?.status).toBe("approved");
    await expectSoundBooks(service);
  });

  it("limit what a user sends on a day, holds included when they are made, over the payments of a batch", async () => {
    await put({ daily_limit: 10 });
    expect([await pay(4), await pay(3, { status: "pending" })]).toEqual(["approved", "pending"]);
    expect(await payMany([1, 1, 1.01])).toEqual([null, null, "limit_exceeded"]);
    expect(await payMany([1, 1, 1])).toEqual(["approved", "approved", "approved"]);
    expect(await pay(0.01)).toBe("limit_exceeded");
    expect(await pay(0.01, { status: "rejected" })).toBe("rejected");
    const neighbour = (await aUser(fintech, { quota: 10 })).id;
    expect(await pay(10, { from_user_id: neighbour })).toBe("approved");
    await put({ daily_limit: 10.01 });
    expect(await pay(0.01)).toBe("approved");
  });

  it("count what was sent before the limit of the day was set, and give nothing back for a release", async () => {
    const body = { amount: 8, from_user_id: payer, to_user_id: shop, status: "pending" as const };
    const { id } = (await fintech.client.createTransaction({ body })).body;
    await fintech.client.settleTransaction({ body: { id, status: "rejected" } });
    await put({ daily_limit: 10 });
    expect([await pay(2.01), await pay(2)]).toEqual(["limit_exceeded", "approved"]);
  });

  it("keep users of a blocking status from sending anything, and let them receive", async () => {
    await put({ blocking_statuses: ["arrear", "default"] });
    expect(await pay(1)).toBe("approved");
    await fintech.client.updateUser({ body: { id: payer, status: "arrear" } });
    expect([await pay(1), await pay(1, { status: "pending" })]).toEqual(["payer_blocked", "payer_blocked"]);
    expect(await payMany([1, 2])).toEqual(["payer_blocked", null]);
    const transfer = { from_user_id: payer, to_user_id: shop, amount: 1 };
    expect((await fintech.client.createLedgerTransaction({ body: transfer })).body[0]?.reason).toBe("payer_blocked");
    const incoming = { amount: 5, from_user_id: shop, to_user_id: payer };
    expect((await other.client.createTransaction({ body: incoming })).body.status).toBe("approved");
    await put({ blocking_statuses: ["default"] });
    expect(await pay(1)).toBe("approved");
  });

  it("are looked at in this order: a block, a limit, the payer's balance, the payee's", async () => {
    const full = (await aUser(other, { quota: 9_999_999_999_999.99 })).id;
    await put({ blocking_statuses: ["active"], payment_limit: 500 });
    const all = { to_user_id: full };
    expect(await pay(5_000, all)).toBe("payer_blocked");
    await put({ blocking_statuses: [] });
    expect(await pay(5_000, all)).toBe("limit_exceeded");
    await put({ payment_limit: null });
    expect(await pay(5_000, all)).toBe("insufficient_balance");
    expect(await pay(500, all)).toBe("balance_limit");
  });

  it("hold for every payment that is decided after they were answered", async () => {
    const paying = times(40, () => pay(1));
    await put({ blocking_statuses: ["active"] });
    const after = await Promise.all(times(10, () => pay(1)));
    expect(new Set(after)).toEqual(new Set(["payer_blocked"]));
    const during = new Set(await Promise.all(paying));
    expect([...during].every((outcome) => ["approved", "payer_blocked"].includes(outcome))).toBe(true);
    await expectSoundBooks(service);
  });

  it("take no lender that is no entity, no lender twice, and no more than a hundred", async () => {
    const ids = [other.entityId, NOBODY, fintech.entityId.replace(/.$/, (last) => (last === "0" ? "1" : "0"))];
    const refusedOf = async (sent: unknown) => refusalOf(await raw("putEntitySettings", { body: { lenders: sent } }));
    expect(await refusedOf(ids)).toEqual(["invalid_request", "/lenders/1", "/lenders/2"]);
    expect(await refusedOf([other.entityId, other.entityId.toUpperCase()])).toEqual(["invalid_request", "/lenders"]);
    expect(await refusedOf(times(101, () => NOBODY))).toContain("/lenders");
    for (const sent of ["none", "ALL", null, 1, {}, [1], ["7"]]) {
      expect((await refusedOf(sent))[0]).toBe("invalid_request");
    }
    expect(await read()).toEqual(nothing);
  });

  it("refuse every fault at once, and change nothing", async () => {
    const wrong = { blocking_statuses: ["late", "active"], payment_limit: -1, daily_limit: "10", other: 1 };
    expect(await refusalOf(await raw("putEntitySettings", { body: wrong }))).toEqual([
      ...["invalid_request", "/blocking_statuses/0", "/daily_limit", "/other", "/payment_limit"],
    ]);
    const twice = { blocking_statuses: ["active", "active"], payment_limit: 5 };
    expect(await refusalOf(await raw("putEntitySettings", { body: twice }))).toEqual([
      ...["invalid_request", "/blocking_statuses"],
    ]);
    const fine = { payment_limit: 0.001, daily_limit: 1.234 };
    expect(await refusalOf(await raw("putEntitySettings", { body: fine }))).toEqual([
      ...["invalid_request", "/daily_limit", "/payment_limit"],
    ]);
    expect(await read()).toEqual(nothing);
  });
});
