import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../src/contract/service/transactions.ts";
import { businessDay, openToLenders } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks } from "../support/service-calls.ts";

let service: TestService;
let ours: TestEntity;
let theirs: TestEntity;
let ana: string;
let shop: string;
let foreign: string;

beforeAll(async () => {
  service = await aService();
  [ours, theirs] = [await service.anEntity("Ours"), await service.anEntity("Theirs")];
  await openToLenders([ours, theirs]);
  const secrets = { address: "Calle 1", email: "ana@example.com", score: 700, payment_data: { account: "1" } };
  const body = { name: "Ana", nit: "priv-1", phone: "3001234567", quota: 1_000, business_name: "Ana SAS", ...secrets };
  ana = (await ours.client.createUser({ body })).body.id;
  shop = (await aUser(ours, { quota: 500 })).id;
  foreign = (await aUser(theirs, { quota: 300 })).id;
});
afterAll(() => service.stop());

async function pay(entity: TestEntity, from: string, to: string, more: object = {}): Promise<Transaction> {
  const body = { amount: 7, from_user_id: from, to_user_id: to, ...more };
  return (await entity.client.createTransaction({ body })).body;
}

describe("another entity", () => {
  it("may pay a user that it did not create, and may not debit one, not even to record a rejection", async () => {
    expect((await pay(theirs, foreign, ana)).status).toBe("approved");
    for (const status of [undefined, "approved", "rejected"] as const) {
      const body = { amount: 1, from_user_id: ana, to_user_id: foreign, status };
      await expect(theirs.client.createTransaction({ body })).rejects.toMatchObject({ code: "payer_not_yours" });
    }
  });

  it("may debit one neither by a batch nor by a recharge, and may pay one by both", async () => {
    const { client } = theirs;
    const payments = [{ amount: 1, to_user_id: foreign }];
    const batch = client.createPaymentTransaction({ body: { from_user_id: ana, payments } });
    await expect(batch).rejects.toMatchObject({ code: "payer_not_yours" });
    for (const status of [undefined, "rejected"] as const) {
      const body = { amount: 1, from_user_id: ana, to_user_id: foreign, status };
      await expect(client.createRechargeTransaction({ body })).rejects.toMatchObject({ code: "payer_not_yours" });
    }
    const paying = { from_user_id: foreign, payments: [{ amount: 1, to_user_id: ana }] };
    expect((await client.createPaymentTransaction({ body: paying })).body).toMatchObject([{ status: "approved" }]);
    const selling = { amount: 1, from_user_id: foreign, to_user_id: ana };
    expect((await client.createRechargeTransaction({ body: selling })).body.status).toBe("approved");
  });

  it("sees its own side of a payment across: each balance only for the user's creator", async () => {
    const paid = await pay(theirs, foreign, ana);
    expect(paid).toHaveProperty("from_balance_after");
    expect(paid).not.toHaveProperty("to_balance_after");
    const { body: seen } = await ours.client.transaction({ query: { id: paid.id } });
    expect(seen).toHaveProperty("to_balance_after");
    expect(seen).not.toHaveProperty("from_balance_after");
  });

  it("does not see payments between others: not by id, reference, list or history", async () => {
    const paid = await pay(ours, ana, shop);
    const mine = await pay(theirs, foreign, ana);
    const { client } = theirs;
    const { id, reference } = paid;
    await expect(client.transaction({ query: { id } })).rejects.toMatchObject({ code: "transaction_not_found" });
    const asked = client.findTransactionByReference({ query: { reference } });
    await expect(asked).rejects.toMatchObject({ code: "transaction_not_found" });
    const all = { direction: "all" as const, limit: "500" };
    const { body: history } = await client.transactionHistory({ query: { "user-id": ana, ...all } });
    expect(history.map((payment) => payment.id)).toContain(mine.id);
    expect(history.every(({ from_user_id }) => from_user_id === foreign)).toBe(true);
    expect((await client.receivedPayments({ query: { "user-id": shop } })).body).toEqual([]);
    const { body: user } = await client.user({ query: { id: ana } });
    expect(user.history.every(({ from_user_id }) => from_user_id === foreign)).toBe(true);
  });

  it("is told nothing of a payment to its user that moved nothing: not by id, reference, list or history", async () => {
    const summary = { query: { "user-id": foreign } };
    const paid = await pay(theirs, foreign, ana);
    const { syncToken = "" } = await ours.client.transactionHistory({ query: { "user-id": ana } });
    const payments = Array.from({ length: 12 }, () => ({ amount: 9_999, to_user_id: ana }));
    await theirs.client.createPaymentTransaction({ body: { from_user_id: foreign, payments } });
    const { id, reference } = await pay(theirs, foreign, ana, { amount: 9_999 });
    const [sent] = (
      await theirs.client.createLedgerTransaction({ body: { from_user_id: foreign, to_user_id: ana, amount: 9_999 } })
    ).body;
    expect(sent?.status).toBe("rejected");
    const absent = { code: "transaction_not_found" };
    await expect(ours.client.transaction({ query: { id } })).rejects.toMatchObject(absent);
    await expect(ours.client.findTransactionByReference({ query: { reference } })).rejects.toMatchObject(absent);
    const idsOf = (list: readonly object[]) => list.map((each) => (each as { readonly id: string }).id);
    const all = { "user-id": ana, direction: "all" as const };
    for (const query of [all, { ...all, status: "rejected" as const }, { ...all, kind: "batch" as const }]) {
      const { body: seen } = await ours.client.transactionHistory({ query });
      expect(seen.filter((each) => each.status === "rejected" && each.from_user_id === foreign)).toEqual([]);
    }
    const { body: since } = await ours.client.transactionHistory({ query: { ...all, "changed-since": syncToken } });
    expect(idsOf(since)).not.toContain(id);
    expect(idsOf((await ours.client.user({ query: { id: ana } })).body.history)).not.toContain(id);
    const { body: theirsOfIt } = await ours.client.transactionHistory({ query: { ...all, "user-id": foreign } });
    expect(idsOf(theirsOfIt)).not.toContain(id);
    const { body: transfers } = await ours.client.ledgerTransactionHistory({ query: { "user-id": ana } });
    expect(idsOf(transfers)).not.toContain(sent?.id);
    const [receiver] = (await ours.client.transactionSummary(summary)).body;
    expect(receiver?.transactions).toMatchObject({ by_status: { rejected: 13 }, latest: [] });
    expect(idsOf((await theirs.client.transactionHistory({ query: { ...all, "user-id": foreign } })).body)).toContain(
      id,
    );
    expect(idsOf((await theirs.client.transactionSummary(summary)).body[0]?.transactions.latest ?? [])).toContain(id);
    expect((await ours.client.transaction({ query: { id: paid.id } })).body.status).toBe("approved");
  });

  it("is told a user's id, names and status, and no more for a credit that it gives", async () => {
    const view = async () => {
      const { history: _, ...body } = (await theirs.client.user({ query: { id: ana } })).body;
      return body;
    };
    const closed = { nit: null, phone: null, email: null, address: null, image: null, payment_data: null };
    const told = { id: ana, name: "Ana", business_name: "Ana SAS", bussines_name: "Ana SAS", status: "active" };
    const figures = { quota: null, quota_available: null, score: null };
    const whole = { ...told, ...closed, ...figures, yours: false };
    expect(await view()).toEqual(whole);
    const lending = { id: ana, amount: "0.01", payment_date: businessDay(service) };
    await theirs.client.addQuota({ body: { ...lending, loan_type: "default" } });
    expect(await view()).toEqual(whole);
    await ours.client.blockUser({ body: { id: ana } });
    expect(await view()).toEqual(whole);
    await ours.client.unblockUser({ body: { id: ana } });
  });

  it("finds every field of a user that its creator finds, whatever is in it", async () => {
    const keys = async ({ client }: TestEntity) => Object.keys((await client.user({ query: { id: ana } })).body);
    const own = (await keys(ours)).filter((key) => key !== "suggested_status");
    expect(await keys(theirs)).toEqual(own);
  });

  it("is told nothing of a balance by a preview either", async () => {
    const lending = { id: ana, amount: "10", payment_date: businessDay(service), loan_type: "default" };
    await theirs.client.addQuota({ body: lending });
    const { body: more } = await theirs.client.previewAddQuota({ body: lending });
    const { body: less } = await theirs.client.previewDischargeQuota({ body: { id: ana, amount: "1" } });
    for (const preview of [more, less]) expect(preview).toMatchObject({ quota: null, quota_available: null });
    const { body: own } = await ours.client.previewAddQuota({ body: lending });
    expect(own.quota).toMatch(/^\d/);
  });

  it("sees its user's tag change as its own history with the user does, and not as others move money", async () => {
    const { etag = "" } = await theirs.client.user({ query: { id: ana } });
    await pay(ours, ana, shop);
    expect((await theirs.client.user({ query: { id: ana } }, { etag })).status).toBe(304);
    await pay(theirs, foreign, ana);
    expect((await theirs.client.user({ query: { id: ana } }, { etag })).status).toBe(200);
  });

  it("may make a QR for any payee, and put no details into it that the payee's creator takes for its own", async () => {
    const body = { amount: 7, to_user_id: shop };
    const making = theirs.client.createTransactionQr({ body: { ...body, details: { order: "1043" } } });
    await expect(making).rejects.toMatchObject({ code: "invalid_request", faults: [{ pointer: "/details" }] });
    await theirs.client.createTransactionQr({ body: { ...body, details: {} } });
  });

  it("may make a QR for any payee, and sees who paid it as its maker does not", async () => {
    const { body: qr } = await theirs.client.createTransactionQr({ body: { amount: 7, to_user_id: shop } });
    const paid = await pay(ours, ana, shop, { details: { qr: qr.payload } });
    const { body: standing } = await theirs.client.transactionQr({ query: { reference: qr.reference ?? "" } });
    expect(standing).toMatchObject({ state: "paid", transaction_id: paid.id });
    const asked = theirs.client.transaction({ query: { id: paid.id } });
    await expect(asked).rejects.toMatchObject({ code: "transaction_not_found" });
  });
});

describe("payments across entities", () => {
  it("sum to zero per posting and per entity, with due-to and due-from of the same amount", async () => {
    const paid = await pay(theirs, foreign, shop, { amount: 12.34 });
    const rows = await service.sql`
      select a.kind, a.entity_id = ${theirs.entityId} as payers, e.amount from service.transactions t
      join service.entries e on e.posting_id = t.posting_id join service.accounts a on a.id = e.account_id
      where t.id = ${paid.id} order by a.kind, e.amount`;
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { kind: "due_from", payers: false, amount: -1_234n },
      { kind: "due_to", payers: true, amount: 1_234n },
      { kind: "user_quota", payers: true, amount: -1_234n },
      { kind: "user_quota", payers: false, amount: 1_234n },
    ]);
    await expectSoundBooks(service);
  });

  it("leave two entries and no dues within one entity", async () => {
    const paid = await pay(ours, ana, shop);
    const rows = await service.sql`
      select a.kind from service.transactions t join service.entries e on e.posting_id = t.posting_id
      join service.accounts a on a.id = e.account_id where t.id = ${paid.id}`;
    expect(rows.map(({ kind }) => kind)).toEqual(["user_quota", "user_quota"]);
  });
});
