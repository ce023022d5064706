import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../src/contract/service/transactions.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import {
  expectSoundBooks,
  NOBODY,
  problemOf,
  type RawClient,
  rawClient,
  refusalOf,
  standing,
} from "../support/service-calls.ts";

const MOST = 9_999_999_999_999.99;

let service: TestService;
/** Creates the payers. */
let fintech: TestEntity;
/** Creates the shop, and so may give its payments back. */
let other: TestEntity;
let raw: RawClient;
let payer: string;
let shop: string;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  raw = await rawClient(service, other);
  payer = (await aUser(fintech, { name: "Ana", quota: 10_000 })).id;
  shop = (await aUser(other, { name: "Café" })).id;
});
afterAll(() => service.stop());

async function pay(amount: number, more: object = {}): Promise<Transaction> {
  const body = { amount, from_user_id: payer, to_user_id: shop, ...more };
  return (await fintech.client.createTransaction({ body })).body;
}

async function reverse(id: string, more: object = {}): Promise<Transaction> {
  return (await other.client.reverseTransaction({ body: { id, ...more } })).body;
}

const read = async (id: string, entity = fintech) => (await entity.client.transaction({ query: { id } })).body;
const quotaOf = async (id: string, entity: TestEntity) => (await entity.client.user({ query: { id } })).body.quota ?? 0;

describe("reverse-transaction", () => {
  it("gives all of a payment back by a refund the other way, and the payment becomes reversed", async () => {
    const before = [await quotaOf(payer, fintech), await quotaOf(shop, other)];
    const paid = await pay(25.5);
    const refund = await reverse(paid.id.toUpperCase(), { details: { why: "broken" } });
    expect(refund).toEqual({
      id: expect.any(String),
      reference: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{13}$/),
      kind: "refund",
      status: "approved",
      amount: 25.5,
      currency: "COP",
      reverses: paid.id,
      date: expect.any(String),
      created_at: expect.any(String),
      details: { why: "broken" },
      from_user: "Café",
      from_user_id: shop,
      to_user: "Ana",
      to_user_id: payer,
      from_balance_after: before[1],
    });
    expect(refund.reference).not.toBe(paid.reference);
    expect(await read(paid.id)).toEqual({ ...paid, status: "reversed", reversed_amount: 25.5 });
    expect([await quotaOf(payer, fintech), await quotaOf(shop, other)]).toEqual(before);
    await expectSoundBooks(service);
  });

  it("gives parts back, and then all that is left", async () => {
    const paid = await pay(10);
    await reverse(paid.id, { amount: 3.01 });
    expect(await read(paid.id)).toMatchObject({ status: "approved", amount: 10, reversed_amount: 3.01 });
    expect(await reverse(paid.id, { amount: 6 })).toMatchObject({ amount: 6, reverses: paid.id });
    expect(await reverse(paid.id)).toMatchObject({ amount: 0.99 });
    expect(await read(paid.id)).toMatchObject({ status: "reversed", reversed_amount: 10 });
    await expectSoundBooks(service);
  });

  it("gives back what a hold settled for, what was paid by QR, and single payments of a batch", async () => {
    const held = await pay(10, { status: "pending" });
    await fintech.client.settleTransaction({ body: { id: held.id, status: "approved", amount: 4 } });
    expect((await reverse(held.id)).amount).toBe(4);
    const { body: qr } = await other.client.createTransactionQr({ body: { amount: 3, to_user_id: shop } });
    const byQr = await pay(3, { details: { qr: qr.payload } });
    await reverse(byQr.id);
    const standingQr = await other.client.transactionQr({ query: { reference: qr.reference ?? "" } });
    expect(standingQr.body).toMatchObject({ state: "paid", transaction_id: byQr.id });
    const payments = [1, 2].map((amount) => ({ amount, to_user_id: shop }));
    const { body } = await fintech.client.createPaymentTransaction({ body: { from_user_id: payer, payments } });
    expect((await reverse(body[1]?.id ?? "")).amount).toBe(2);
    expect((await read(body[0]?.id ?? "")).status).toBe("approved");
    await expectSoundBooks(service);
  });

  it("is in the history of who is given back, and among its received payments only on request", async () => {
    const person = await aUser(fintech, { quota: 50 });
    const { body } = await fintech.client.createTransaction({
      body: { amount: 5, from_user_id: person.id, to_user_id: shop },
    });
    const refund = await reverse(body.id);
    const query = { "user-id": person.id };
    const ids = (list: readonly Transaction[]) => list.map(({ id }) => id);
    expect(ids((await fintech.client.transactionHistory({ query })).body)).toEqual([refund.id]);
    expect(ids((await fintech.client.receivedPayments({ query })).body)).toEqual([]);
    const refunds = await fintech.client.receivedPayments({ query: { ...query, kind: "refund" } });
    expect(ids(refunds.body)).toEqual([refund.id]);
    expect(ids((await other.client.receivedPayments({ query: { "user-id": shop } })).body)).toContain(body.id);
  });

  it("carries the names of its own moment", async () => {
    const person = (await aUser(fintech, { name: "Old", quota: 5 })).id;
    const body = { amount: 5, from_user_id: person, to_user_id: shop };
    const paid = (await fintech.client.createTransaction({ body })).body;
    await fintech.client.updateUser({ body: { id: person, name: "New" } });
    expect((await reverse(paid.id)).to_user).toBe("New");
    expect((await read(paid.id)).from_user).toBe("Old");
  });

  it("moves money between blocked users, and gives nothing back to the limit of the day", async () => {
    const person = (await aUser(fintech, { quota: 50 })).id;
    const shopkeeper = (await aUser(other)).id;
    await fintech.client.putEntitySettings({ body: { daily_limit: 5 } });
    const body = { amount: 5, from_user_id: person, to_user_id: shopkeeper };
    const paid = (await fintech.client.createTransaction({ body })).body;
    await fintech.client.blockUser({ body: { id: person } });
    await other.client.blockUser({ body: { id: shopkeeper } });
    expect((await reverse(paid.id)).status).toBe("approved");
    await fintech.client.unblockUser({ body: { id: person } });
    const again = (await fintech.client.createTransaction({ body: { ...body, amount: 0.01 } })).body;
    expect(again.reason).toBe("limit_exceeded");
    await fintech.client.putEntitySettings({ body: { daily_limit: null } });
  });

  it("answers the same refund for the same key, and makes one", async () => {
    const paid = await pay(10);
    const call = { body: { id: paid.id, amount: 4 }, headers: { "idempotency-key": `reverse-${paid.id}` } };
    const [first, second] = [await raw("reverseTransaction", call), await raw("reverseTransaction", call)];
    expect([first.status, second.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(await second.json()).toEqual(await first.json());
    expect((await read(paid.id)).reversed_amount).toBe(4);
  });
});

describe("reverse-transaction refuses, in this order", () => {
  const refused = async (body: object) => refusalOf(await raw("reverseTransaction", { body }));

  it("faults, an unknown id, another's payee, what is not approved, more than is left, a short payee", async () => {
    const [person, till] = [await aUser(fintech, { quota: 100 }), await aUser(other)];
    const body = { amount: 10, from_user_id: person.id, to_user_id: till.id };
    const make = async (more: object = {}) =>
      (await fintech.client.createTransaction({ body: { ...body, ...more } })).body;
    const unseen = await make({ to_user_id: (await aUser(fintech)).id });
    const [paid, pending, rejected] = [
      await make(),
      await make({ status: "pending" }),
      await make({ status: "pending" }),
    ];
    await fintech.client.settleTransaction({ body: { id: rejected.id, status: "rejected" } });
    const sent = { amount: 1, from_user_id: till.id, to_user_id: person.id };
    const outgoing = (await other.client.createTransaction({ body: sent })).body;
    const refund = await (await raw("reverseTransaction", { body: { id: paid.id, amount: 2 } })).json();
    const toTill = await reverseAs(fintech, outgoing.id);
    const before = await standing(service);

    expect(await refused({ id: "7", amount: 0, status: "x" })).toEqual([
      ...["invalid_request", "/amount", "/id", "/status"],
    ]);
    expect(await refused({ id: NOBODY, amount: 0.001 })).toEqual(["invalid_request", "/amount"]);
    expect(await refused({ id: NOBODY })).toEqual(["transaction_not_found"]);
    expect(await refused({ id: unseen.id })).toEqual(["transaction_not_found"]);
    expect(await refused({ id: outgoing.id, amount: 99 })).toEqual(["not_allowed"]);
    for (const { id } of [toTill, pending, rejected]) {
      expect(await refused({ id, amount: 99 })).toEqual(["transaction_not_reversible"]);
    }
    expect(await refused({ id: refund.id, amount: 99 })).toEqual(["not_allowed"]);
    expect(await refused({ id: paid.id, amount: 8.01 })).toEqual(["refund_too_large"]);
    expect(await standing(service)).toEqual(before);
    await other.client.createTransaction({ body: { ...sent, amount: 5, status: "pending" } });
    expect(await refused({ id: paid.id, amount: 3.01 })).toEqual(["insufficient_balance"]);
    expect((await read(paid.id)).reversed_amount).toBe(2);
    await reverse(paid.id, { amount: 3 });
    await expectSoundBooks(service);
  });

  it("a payer whose balance would become too large, and nothing moves", async () => {
    const person = (await aUser(fintech, { quota: MOST })).id;
    const body = { amount: 10, from_user_id: person, to_user_id: shop };
    const paid = (await fintech.client.createTransaction({ body })).body;
    await fintech.client.addQuota({
      body: { id: person, amount: "5", loan_type: "default", payment_date: "2900-01-01" },
    });
    const before = await standing(service);
    expect(await refused({ id: paid.id })).toEqual(["balance_limit"]);
    expect(await standing(service)).toEqual(before);
    expect((await reverse(paid.id, { amount: 5 })).status).toBe("approved");
  });

  it("more than is left, and says which figures of the payment that is", async () => {
    const paid = await pay(10);
    await reverse(paid.id, { amount: 4 });
    const { code, detail } = await problemOf(await raw("reverseTransaction", { body: { id: paid.id, amount: 6.01 } }));
    expect(code).toBe("refund_too_large");
    expect(detail).toContain("its amount less its reversed_amount");
    const { amount, reversed_amount = 0 } = await read(paid.id, other);
    expect((await reverse(paid.id, { amount: amount - reversed_amount })).status).toBe("approved");
  });

  it("what is given back already", async () => {
    const paid = await pay(10);
    await reverse(paid.id);
    expect(await refused({ id: paid.id })).toEqual(["transaction_not_reversible"]);
  });

  async function reverseAs(entity: TestEntity, id: string): Promise<Transaction> {
    return (await entity.client.reverseTransaction({ body: { id } })).body;
  }
});
