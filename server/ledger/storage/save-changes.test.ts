import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnsweredPayment, aLedger, ledgerFaults, type TestLedger } from "../../../test/support/a-ledger.ts";
import {
  aCancellation,
  aCommand,
  aGrant,
  anOrigin,
  aPayment,
  aQrPayment,
  aRegistration,
  type TestEntity,
} from "../../../test/support/ledger.ts";

let ledger: TestLedger;
let entity: TestEntity;

const NOW = new Date("2026-03-31T15:04:05.678Z");
const DAY = "2026-03-31";

beforeAll(async () => {
  ledger = await aLedger();
  entity = await ledger.anEntity();
});
afterAll(() => ledger.drop());

/** Carries out one action at a known instant. */
async function post<A extends Parameters<TestLedger["post"]>[1]>(action: A, key?: string, by = entity): Promise<never> {
  const writer = ledger.aWriter({ clock: () => NOW, slot: 11 });
  return (await writer.post(aCommand(anOrigin(by, key), action))).body as never;
}

async function rowOf(table: string, column: string, value: string): Promise<unknown> {
  const rows = await ledger.sql`select * from ${ledger.sql(`service.${table}`)} where ${ledger.sql(column)} = ${value}`;
  expect(rows).toHaveLength(1);
  return { ...rows[0], version: undefined }; // Whoever updates a row raises it.
}

async function entriesOf(postingId: string): Promise<unknown[]> {
  const rows = await ledger.sql`
    select a.kind, a.entity_id, a.counterparty_id, a.day, a.slot, e.sequence_number, e.amount, e.balance_after
    from service.entries e join service.accounts a on a.id = e.account_id
    where e.posting_id = ${postingId} order by a.kind`;
  return [...rows];
}

const UNTOUCHED = ["accrued", "unpaid_interest", "paid_interest", "written_off_principal", "written_off_interest"];

/** A credit of the default loan type on its first day, but for whose it is and how much. */
const openCreditRow = {
  ...{ loan_type: "default", annual_rate_bps: 0, day_basis: 365, after_due: "continue", due_date: null },
  ...{ arrear_after: 0, default_after: 90 },
  state: "open",
  opened_on: DAY,
  closed_on: null,
  accrued_through: DAY,
  accrual_numerator: "0",
  ...Object.fromEntries([...UNTOUCHED, "recovered"].map((column) => [column, 0n])),
  movement_count: 1,
  is_imported: false,
  created_at: NOW,
};

describe("what an action writes, column by column", () => {
  it("a registration: the user, its account, and the credit of an opening quota", async () => {
    const action = aRegistration(250n, {
      name: 'Íñigo \\ "Núñez" {a,b} 😀',
      businessName: "Café, S.A.S.",
      email: "i@example.com",
      address: "Calle 1\n# 2-3",
      image: "https://example.com/i.png",
      score: 0,
      status: "arrear",
      paymentData: '{"b":1.10,"a":12345678901234567890}',
      apnTokenHash: new Uint8Array([0, 92, 34, 255]),
    });
    const { id } = (await post(action)) as { id: string };
    const { user } = action;
    expect(await rowOf("users", "id", id)).toEqual({
      id,
      creator_id: entity.id,
      name: user.name,
      business_name: user.businessName,
      nit: user.nit,
      phone: user.phone,
      email: user.email,
      address: user.address,
      image: user.image,
      score: 0,
      status: "arrear",
      payment_data: user.paymentData,
      apn_token_hash: Buffer.from(user.apnTokenHash),
      created_at: NOW,
      blocked_at: null,
      imported_history: "[]",
      changed_id: id,
    });
    expect(await rowOf("accounts", "id", id)).toEqual({
      id,
      kind: "user_quota",
      entity_id: entity.id,
      counterparty_id: null,
      day: null,
      slot: null,
      posted: 250n,
      held: 0n,
      entry_count: 1n,
      active_on: DAY,
      spent: 0n,
      spent_on: null,
    });
    expect(await rowOf("account_days", "account_id", id)).toEqual({ account_id: id, day: DAY, first_entry: 1n });
  });

  it("an opening quota: the credit, its posting and its first movement", async () => {
    const action = aRegistration(250n);
    const { id } = (await post(action)) as { id: string };
    const { id: creditId, posting_id } = (await rowOf("credits", "user_id", id)) as { id: string; posting_id: string };
    expect(await rowOf("credits", "user_id", id)).toEqual({
      ...openCreditRow,
      id: creditId,
      entity_id: entity.id,
      user_id: id,
      reference: action.reference,
      principal: 250n,
      outstanding: 250n,
      posting_id,
      changed_id: creditId,
    });
    expect(await rowOf("credit_movements", "credit_id", creditId)).toEqual({
      credit_id: creditId,
      sequence_number: 1,
      kind: "granted",
      day: DAY,
      principal: 250n,
      interest: 0n,
      posting_id,
      created_at: NOW,
    });
    const posted = { kind: "credit", reference: action.reference, business_day: DAY, slot: 11, created_at: NOW };
    expect(await rowOf("postings", "id", posting_id)).toEqual({ id: posting_id, ...posted });
  });

  it("a registration without quota or optional fields: nulls, and no posting", async () => {
    const action = aRegistration();
    const { id } = (await post(action)) as { id: string };
    expect(await rowOf("users", "id", id)).toMatchObject({
      business_name: null,
      email: null,
      image: null,
      score: null,
    });
    expect(await rowOf("accounts", "id", id)).toMatchObject({ posted: 0n, entry_count: 0n });
    expect(await ledger.sql`select from service.postings where reference = ${action.reference}`).toHaveLength(0);
  });

  it("a credit of another entity's user: entries on both books, due to and due from by day and slot", async () => {
    const creator = await ledger.anEntity();
    await ledger.sql`update service.entities set lenders = ${[entity.id]} where id = ${creator.id}`;
    const user = await ledger.aUser(creator);
    await post(aGrant(user.id, 900n, { dueDate: "2026-09-30" }));
    const credit = (await rowOf("credits", "user_id", user.id)) as { posting_id: string };
    expect(credit).toMatchObject({ entity_id: entity.id, principal: 900n, due_date: "2026-09-30" });
    const due = { day: DAY, slot: 11, sequence_number: 1n };
    const none = { counterparty_id: null, day: null };
    const entries = (await entriesOf(credit.posting_id)) as { kind: string }[];
    expect(entries).toEqual([
      expect.objectContaining({ kind: "credits_receivable", entity_id: entity.id, ...none, slot: 11, amount: -900n }),
      {
        kind: "due_from",
        entity_id: creator.id,
        counterparty_id: entity.id,
        ...due,
        amount: -900n,
        balance_after: -900n,
      },
      { kind: "due_to", entity_id: entity.id, counterparty_id: creator.id, ...due, amount: 900n, balance_after: 900n },
      expect.objectContaining({ kind: "user_quota", entity_id: creator.id, ...none, slot: null, balance_after: 900n }),
    ]);
  });

  it("a deposit: cash, and no credit", async () => {
    const user = await ledger.aUser(entity);
    const action = aGrant(user.id, 30n, { loanType: "deposit", dueDate: undefined });
    await post(action);
    const posting = (await rowOf("postings", "reference", action.reference)) as { id: string };
    expect(posting).toMatchObject({ kind: "deposit", business_day: DAY });
    const entries = (await entriesOf(posting.id)) as { kind: string }[];
    expect(entries.map(({ kind }) => kind)).toEqual(["cash_clearing", "user_quota"]);
    expect(await ledger.sql`select from service.credits where user_id = ${user.id}`).toHaveLength(0);
  });

  it("an approved payment: the record, its first status, its posting and both balances", async () => {
    const [payer, payee] = [await ledger.aUser(entity, 100n, { name: "Payer" }), await ledger.aUser(entity, 5n)];
    const date = new Date("2026-03-30T00:00:00.001Z");
    const action = aPayment(payer.id, payee.id, 40n, { kind: "recharge", date, details: '{"x":[1.0]}' });
    const { id, postingId } = (await post(action)) as { id: string; postingId: string };
    expect(await rowOf("transactions", "id", id)).toEqual({
      id,
      reference: action.reference,
      kind: "recharge",
      status: "approved",
      ...{ reason: null, exceeded_limit: null },
      amount: 40n,
      held_amount: null,
      hold_expires_at: null,
      reversed_amount: 0n,
      reverses: null,
      status_count: 1,
      date,
      details: '{"x":[1.0]}',
      qr_details: null,
      from_user_id: payer.id,
      from_user: "Payer",
      from_business_name: null,
      to_business_name: null,
      from_creator_id: entity.id,
      to_user_id: payee.id,
      to_user: payee.name,
      to_creator_id: entity.id,
      from_balance_after: 60n,
      to_balance_after: 45n,
      made_by: entity.id,
      posting_id: postingId,
      created_at: NOW,
    });
    expect(await rowOf("transaction_statuses", "transaction_id", id)).toEqual({
      transaction_id: id,
      sequence_number: 1,
      status: "approved",
      reason: null,
      created_at: NOW,
    });
    expect(await rowOf("postings", "id", postingId)).toMatchObject({
      kind: "transaction",
      reference: action.reference,
    });
  });

  it("a rejected payment: the record with its reason, and nothing moved", async () => {
    const [payer, payee] = [await ledger.aUser(entity, 1n), await ledger.aUser(entity)];
    const { id } = (await post(aPayment(payer.id, payee.id, 2n))) as { id: string };
    const rejected = { status: "rejected", reason: "insufficient_balance" };
    const nothing = { posting_id: null, from_balance_after: null, to_balance_after: null };
    expect(await rowOf("transactions", "id", id)).toMatchObject({ ...rejected, ...nothing });
    expect(await rowOf("transaction_statuses", "transaction_id", id)).toMatchObject(rejected);
    expect(await ledger.balanceOf(payer)).toBe(1n);
  });

  it("a QR: its reservation, then who took it, and the payment under its reference with its details", async () => {
    const [payer, payee] = [await ledger.aUser(entity, 100n), await ledger.aUser(entity)];
    const qr = await ledger.aQr(payee, 60n, { fromUserId: payer.id, createdAt: NOW, details: '{"table":7.0}' });
    const row = {
      reference: qr.reference,
      payload: qr.payload,
      check_code: qr.checkCode,
      to_user_id: payee.id,
      to_user: payee.name,
      from_user_id: payer.id,
      amount: 60n,
      details: '{"table":7.0}',
      made_by: entity.id,
      created_at: NOW,
      expires_at: qr.expiresAt,
      cancelled_at: null,
      transaction_id: null,
    };
    expect(await rowOf("qr_reservations", "reference", qr.reference)).toEqual(row);
    const paid = (await post(aQrPayment(qr, payer.id))) as AnsweredPayment;
    expect(await rowOf("qr_reservations", "reference", qr.reference)).toEqual({ ...row, transaction_id: paid.id });
    expect(await rowOf("transactions", "reference", qr.reference)).toMatchObject({
      kind: "qr",
      qr_details: '{"table":7.0}',
      details: "{}",
    });
  });

  it("a withdrawn QR: when, and a second withdrawal leaves that", async () => {
    const qr = await ledger.aQr(await ledger.aUser(entity), 60n);
    await post(aCancellation(qr));
    expect(await rowOf("qr_reservations", "reference", qr.reference)).toMatchObject({ cancelled_at: NOW });
    await ledger.post(entity, aCancellation(qr));
    expect(await rowOf("qr_reservations", "reference", qr.reference)).toMatchObject({ cancelled_at: NOW });
  });

  it("an idempotent answer: under entity, operation and key, with the body's fingerprint", async () => {
    const body = await post({ type: "remember" }, "a key");
    expect(await rowOf("idempotency_records", "client_id", entity.clientId)).toEqual({
      ...{ entity_id: entity.id, client_id: entity.clientId, only_for: "" },
      operation: "operation",
      key: "a key",
      fingerprint: "fingerprint",
      ...{ answer: JSON.stringify({ body: JSON.stringify(body) }), transaction_id: null },
      created_at: NOW,
    });
  });

  it("adds up", async () => {
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });
});
