import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../src/contract/service/transactions.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, type RawClient, rawClient, refusalOf, standing } from "../support/service-calls.ts";

const DAY_SECONDS = 86_400;
const MOST = 9_999_999_999_999.99;

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;
let shop: string;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  raw = await rawClient(service, fintech);
  shop = (await aUser(other, { name: "Café" })).id;
});
afterAll(() => service.stop());

async function aHold(
  amount: number,
  { payer, payee = shop, ...more }: { payer: string; payee?: string; details?: Record<string, unknown> },
) {
  const body = { amount, from_user_id: payer, to_user_id: payee, status: "pending" as const, ...more };
  return (await fintech.client.createTransaction({ body })).body;
}

async function settle(id: string, more: object = {}): Promise<Transaction> {
  return (await fintech.client.settleTransaction({ body: { id, status: "approved", ...more } })).body;
}

const balances = async (id: string, entity = fintech) => {
  const { quota, quota_available } = (await entity.client.user({ query: { id } })).body;
  return [quota, quota_available];
};

describe("a payment that is asked for as pending", () => {
  it("holds the payer's money, which stays in the balance and cannot be spent", async () => {
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const held = await aHold(70.25, { payer });
    expect(held).toMatchObject({ kind: "payment", status: "pending", amount: 70.25, held_amount: 70.25 });
    expect(Date.parse(held.hold_expires_at ?? "") - Date.parse(held.created_at)).toBeCloseTo(
      7 * DAY_SECONDS * 1000,
      -4,
    );
    expect(held).not.toHaveProperty("from_balance_after");
    expect(await balances(payer)).toEqual([100, 29.75]);
    const body = { amount: 29.76, from_user_id: payer, to_user_id: shop };
    expect((await fintech.client.createTransaction({ body })).body.reason).toBe("insufficient_balance");
    const transfer = { from_user_id: payer, to_user_id: shop, amount: 30 };
    const [sent] = (await fintech.client.createLedgerTransaction({ body: transfer })).body;
    expect(sent?.reason).toBe("insufficient_balance");
    await expectSoundBooks(service);
  });

  it("is rejected for the same reasons as one that settles now, and may be a recharge", async () => {
    const payer = (await aUser(fintech, { quota: 10 })).id;
    expect(await aHold(11, { payer })).toMatchObject({ status: "rejected", reason: "insufficient_balance" });
    const full = (await aUser(fintech, { quota: MOST })).id;
    expect(await aHold(1, { payer, payee: full })).toMatchObject({ status: "rejected", reason: "balance_limit" });
    const body = { amount: 4, from_user_id: payer, to_user_id: shop, status: "pending" as const };
    const sold = (await fintech.client.createRechargeTransaction({ body })).body;
    expect(sold).toMatchObject({ kind: "recharge", status: "pending", held_amount: 4 });
    expect(await settle(sold.id)).toMatchObject({ kind: "recharge", status: "approved" });
  });
});

describe("settle-transaction", () => {
  it("moves all that is held", async () => {
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const before = (await balances(shop, other))[0] ?? 0;
    const held = await aHold(60, { payer, details: { order: 1 } });
    const settled = await settle(held.id.toUpperCase());
    expect(settled).toEqual({ ...held, status: "approved", from_balance_after: 40 });
    expect(await balances(payer)).toEqual([40, 40]);
    expect(await balances(shop, other)).toEqual([before + 60, before + 60]);
    expect((await fintech.client.transaction({ query: { id: held.id } })).body).toEqual(settled);
    await expectSoundBooks(service);
  });

  it("moves less, says what was held, and gives the rest back", async () => {
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const settled = await settle((await aHold(60, { payer })).id, { amount: 12.34 });
    expect(settled).toMatchObject({ status: "approved", amount: 12.34, held_amount: 60, from_balance_after: 87.66 });
    expect(await balances(payer)).toEqual([87.66, 87.66]);
    await expectSoundBooks(service);
  });

  it("releases all of it: rejected, and the reason is that it was released", async () => {
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const held = await aHold(60, { payer });
    const released = (await fintech.client.settleTransaction({ body: { id: held.id, status: "rejected" } })).body;
    expect(released).toEqual({ ...held, status: "rejected", reason: "released" });
    expect(await balances(payer)).toEqual([100, 100]);
    await expectSoundBooks(service);
  });

  it("keeps every status that a transaction had", async () => {
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const { id } = await settle((await aHold(60, { payer })).id);
    const statuses = await service.sql`
      select status, reason from service.transaction_statuses where transaction_id = ${id} order by sequence_number`;
    expect(statuses.map((row) => ({ ...row }))).toEqual([
      { status: "pending", reason: null },
      { status: "approved", reason: null },
    ]);
  });

  it("answers the same again for the same key, and settles once", async () => {
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const { id } = await aHold(60, { payer });
    const call = { body: { id, status: "approved" }, headers: { "idempotency-key": `settle-${id}` } };
    const [first, second] = [await raw("settleTransaction", call), await raw("settleTransaction", call)];
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await second.json()).toEqual(await first.json());
    expect(await balances(payer)).toEqual([40, 40]);
  });

  it("settles what was held before its payer was limited", async () => {
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const held = await aHold(60, { payer });
    await fintech.client.putEntitySettings({ body: { payment_limit: 5, daily_limit: 5 } });
    expect((await settle(held.id)).status).toBe("approved");
    await fintech.client.putEntitySettings({ body: { payment_limit: null, daily_limit: null } });
  });
});

describe("a QR that a held payment took", () => {
  async function aQr() {
    const { body } = await other.client.createTransactionQr({ body: { amount: 5, to_user_id: shop } });
    const reference = body.reference ?? "";
    const state = async () => (await fintech.client.transactionQr({ query: { reference } })).body;
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const pay = (status: "pending" | "approved") => ({
      amount: 5,
      from_user_id: payer,
      to_user_id: shop,
      status,
      details: { qr: body.payload },
    });
    return { reference, state, pay };
  }

  it("is pending, cannot be paid by another or cancelled, and is paid once the hold is settled", async () => {
    const { reference, state, pay } = await aQr();
    const held = (await fintech.client.createTransaction({ body: pay("pending") })).body;
    expect(held).toMatchObject({ status: "pending", kind: "qr", reference });
    expect(await state()).toMatchObject({ state: "pending", transaction_id: held.id });
    const again = fintech.client.createTransaction({ body: pay("approved") });
    await expect(again).rejects.toMatchObject({ code: "qr_already_paid" });
    const cancelling = other.client.cancelTransactionQr({ body: { reference } });
    await expect(cancelling).rejects.toMatchObject({ code: "qr_already_paid" });
    await settle(held.id);
    expect(await state()).toMatchObject({ state: "paid", transaction_id: held.id });
    await expectSoundBooks(service);
  });

  it("is not paid by less than its amount: such a settlement is refused, and the hold stays", async () => {
    const { state, pay } = await aQr();
    const { id } = (await fintech.client.createTransaction({ body: pay("pending") })).body;
    const before = await standing(service);
    for (const amount of [0.01, 4.99]) {
      const less = await raw("settleTransaction", { body: { id, status: "approved", amount } });
      expect(await refusalOf(less)).toEqual(["qr_mismatch"]);
    }
    const more = await raw("settleTransaction", { body: { id, status: "approved", amount: 5.01 } });
    expect(await refusalOf(more)).toEqual(["invalid_request", "/amount"]);
    expect([await standing(service), await state()]).toMatchObject([before, { state: "pending", transaction_id: id }]);
    expect((await settle(id, { amount: 5 })).amount).toBe(5);
    expect(await state()).toMatchObject({ state: "paid", amount: 5 });
  });

  it("is payable again when the hold is released, which goes on under a reference of its own", async () => {
    const { reference, state, pay } = await aQr();
    const held = (await fintech.client.createTransaction({ body: pay("pending") })).body;
    const released = (await fintech.client.settleTransaction({ body: { id: held.id, status: "rejected" } })).body;
    expect(released.reference).not.toBe(reference);
    const found = await fintech.client.findTransactionByReference({ query: { reference: released.reference } });
    expect(found.body.id).toBe(held.id);
    expect(await state()).toMatchObject({ state: "unpaid" });
    const asked = fintech.client.findTransactionByReference({ query: { reference } });
    await expect(asked).rejects.toMatchObject({ code: "reference_unpaid" });
    const paid = (await fintech.client.createTransaction({ body: pay("approved") })).body;
    expect(paid).toMatchObject({ status: "approved", reference });
    expect(await state()).toMatchObject({ state: "paid", transaction_id: paid.id });
    await expectSoundBooks(service);
  });
});

describe("the creator of the payee of another entity's hold", () => {
  const release = (id: string) => other.client.settleTransaction({ body: { id, status: "rejected" } });

  it("releases it, both are told, and the code that it took can be cancelled", async () => {
    const { body: qr } = await other.client.createTransactionQr({ body: { amount: 5, to_user_id: shop } });
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const held = await aHold(5, { payer, details: { qr: qr.payload } });
    const cancel = () => other.client.cancelTransactionQr({ body: { reference: qr.reference ?? "" } });
    const refusal = { code: "qr_already_paid", detail: expect.stringContaining("release the hold") };
    await expect(cancel()).rejects.toMatchObject(refusal);
    expect((await release(held.id)).body).toMatchObject({ status: "rejected", reason: "released" });
    expect(await balances(payer)).toEqual([100, 100]);
    expect((await cancel()).body.state).toBe("cancelled");
    await expectSoundBooks(service);
  });

  it("releases it also where the payer's creator blocked the payer, and it was prolonged", async () => {
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const held = await aHold(5, { payer });
    await fintech.client.blockUser({ body: { id: payer } });
    await service.sql`update service.transactions set hold_expires_at = now() where id = ${held.id}`;
    const expiry = async () => (await other.client.transaction({ query: { id: held.id } })).body.hold_expires_at ?? "";
    await expect.poll(async () => Date.parse(await expiry()), { timeout: 15_000 }).toBeGreaterThan(Date.now());
    expect((await release(held.id)).body.reason).toBe("released");
  });

  it("does not settle it", async () => {
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const { id } = await aHold(5, { payer });
    const settling = other.client.settleTransaction({ body: { id, status: "approved" } });
    await expect(settling).rejects.toMatchObject({ code: "not_allowed" });
  });
});

describe("settle-transaction refuses, in this order", () => {
  const refused = async (body: object) => refusalOf(await raw("settleTransaction", { body }));

  it("faults, an unknown id, another's hold, what is not pending, more than is held, a payee who is full", async () => {
    const [payer, theirs] = [await aUser(fintech, { quota: 100 }), await aUser(other, { quota: 100 })];
    const held = await aHold(60, { payer: payer.id });
    const rejected = { amount: 9, from_user_id: theirs.id, to_user_id: payer.id, status: "rejected" as const };
    const { body: foreign } = await other.client.createTransaction({ body: { ...rejected, status: "pending" } });
    const { body: unseen } = await other.client.createTransaction({ body: { ...rejected, to_user_id: shop } });
    const full = (await aUser(fintech, { quota: MOST - 50 })).id;
    const tight = await aHold(40, { payer: payer.id, payee: full });
    await fintech.client.addQuota({
      body: { id: full, amount: "30", loan_type: "default", payment_date: "2900-01-01" },
    });
    const before = await standing(service);

    expect(await refused({ id: "7", status: "reversed", amount: -1 })).toEqual([
      ...["invalid_request", "/amount", "/id", "/status"],
    ]);
    expect(await refused({ id: NOBODY, status: "pending" })).toEqual(["invalid_request", "/status"]);
    expect(await refused({ id: NOBODY, status: "rejected", amount: 1 })).toEqual(["invalid_request", "/amount"]);
    expect(await refused({ id: NOBODY, status: "approved", amount: 0.001 })).toEqual(["invalid_request", "/amount"]);
    expect(await refused({ id: NOBODY, status: "approved" })).toEqual(["transaction_not_found"]);
    expect(await refused({ id: unseen.id, status: "approved" })).toEqual(["transaction_not_found"]);
    expect(await refused({ id: foreign.id, status: "approved", amount: 10 })).toEqual(["not_allowed"]);
    expect(await refused({ id: held.id, status: "approved", amount: 60.01 })).toEqual(["invalid_request", "/amount"]);
    expect(await refused({ id: tight.id, status: "approved" })).toEqual(["balance_limit"]);
    expect(await standing(service)).toEqual(before);

    expect((await settle(tight.id, { amount: 20 })).status).toBe("approved");
    expect((await settle(held.id)).status).toBe("approved");
    for (const id of [tight.id, held.id]) {
      expect(await refused({ id, status: "approved", amount: 99 })).toEqual(["transaction_not_pending"]);
      expect(await refused({ id, status: "rejected" })).toEqual(["transaction_not_pending"]);
    }
    await expectSoundBooks(service);
  });
});

describe("a hold whose time is over", () => {
  it("can be neither settled nor released, and is rejected by itself within seconds", async () => {
    const payer = (await aUser(fintech, { quota: 100 })).id;
    const body = { amount: 60, from_user_id: payer, to_user_id: shop, status: "pending" as const };
    const { body: qr } = await other.client.createTransactionQr({ body: { amount: 7, to_user_id: shop } });
    const [held, byQr] = [
      (await fintech.client.createTransaction({ body })).body,
      (await fintech.client.createTransaction({ body: { ...body, amount: 7, details: { qr: qr.payload } } })).body,
    ];
    service.advance(7 * DAY_SECONDS + 1);
    const later = await rawClient(service, fintech);
    const read = async (id: string) => (await later("transaction", { query: { id } })).json() as Promise<Transaction>;
    for (const more of [{ status: "approved", amount: 61 }, { status: "rejected" }]) {
      const [code] = await refusalOf(await later("settleTransaction", { body: { id: held.id, ...more } }));
      expect(["hold_expired", "transaction_not_pending"]).toContain(code);
    }
    await expect
      .poll(() => read(held.id), { timeout: 15_000, interval: 200 })
      .toEqual({
        ...held,
        status: "rejected",
        reason: "hold_expired",
      });
    await expect.poll(async () => (await read(byQr.id)).status, { timeout: 15_000 }).toBe("rejected");
    const { state } = await (await later("transactionQr", { query: { reference: qr.reference ?? "" } })).json();
    expect(state).toBe("expired");
    const { quota, quota_available } = await (await later("user", { query: { id: payer } })).json();
    expect([quota, quota_available]).toEqual([100, 100]);
    await expectSoundBooks(service);
  });
});
