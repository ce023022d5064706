import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { businessTime } from "../../../src/business-time.ts";
import { type AnsweredPayment, aLedger, type TestLedger, type TestUser } from "../../../test/support/a-ledger.ts";
import { aCommand, anOrigin, aPayment, aQrPayment, aReversal, aSettlement } from "../../../test/support/ledger.ts";
import type { Command, Payment, TransactionRecord } from "../../ledger/model/command.ts";
import type { Refund, SettleHold } from "../../ledger/model/payment-commands.ts";
import { transactionAnswer } from "./transaction-answer.ts";

let ledger: TestLedger;
let payer: TestUser;
let payee: TestUser;
let keys = 0;

beforeAll(async () => {
  ledger = await aLedger();
  const [entity, other] = [await ledger.anEntity(), await ledger.anEntity()];
  await ledger.sql`update service.entities set payment_limit = 500 where id = ${entity.id}`;
  [payer, payee] = [await ledger.aUser(entity, 10_000n), await ledger.aUser(other, 100n)];
});
afterAll(() => ledger.drop());

const wording = { currency: { code: "COP", numeric: "170", digits: 2 }, time: businessTime("America/Bogota") };

type Recording = Payment | Refund | SettleHold;

interface Answered {
  readonly key: string;
  readonly text: string;
  readonly record: AnsweredPayment;
}

function commandOf(action: Recording, key: string, fingerprint?: string): Command {
  const { entity } = action.type === "reverse" ? payee : payer;
  const answer = (record: TransactionRecord) => transactionAnswer(record, entity.id, wording);
  return aCommand<Recording>(anOrigin(entity, key, fingerprint), action, answer) as unknown as Command;
}

async function first(action: Recording): Promise<Answered> {
  keys += 1;
  const key = `key ${keys}`;
  const text = JSON.stringify((await ledger.writer.post(commandOf(action, key))).body);
  const { id } = JSON.parse(text) as { id: string };
  const [record] = await ledger.sql<AnsweredPayment[]>`
    select id, reference, from_user_id as "fromUserId", to_user_id as "toUserId", status, reason, kind,
      created_at::text as "createdAt" from service.transactions where id = ${id}`;
  return { key, text, record: record as AnsweredPayment };
}

/** Sends a request again, to a process that remembers nothing. */
async function again(action: Recording, { key }: Answered): Promise<string> {
  const { body, replayed } = await ledger.aWriter().post(commandOf(action, key));
  expect(replayed).toBe(true);
  return JSON.stringify(body);
}

async function kept({ key }: Answered): Promise<unknown> {
  return (
    await ledger.sql`
    select answer is not null as "asText", transaction_id as id from service.idempotency_records where key = ${key}`
  )[0];
}

const details = '{"z":1.0,"a":[1e2,12345678901234567890],"ñ":"\\u00e9"}';

function payment(amount: bigint, more: Partial<Payment> = {}): Payment {
  return aPayment(payer.id, payee.id, amount, { details, date: new Date("2026-01-31T10:00:00.123Z"), ...more });
}

describe("the answer to a copy of a request, from the payment as it was recorded", () => {
  it.each<[string, () => Promise<Payment>, Partial<AnsweredPayment>]>([
    ["an approved payment", async () => payment(40n), { status: "approved", reason: null }],
    ["a recharge", async () => payment(41n, { kind: "recharge" }), { status: "approved" }],
    ["a payment over a limit", async () => payment(501n), { status: "rejected", reason: "limit_exceeded" }],
    ["a rejection that was asked for", async () => payment(42n, { requestedStatus: "rejected" }), { reason: null }],
    ["a code", async () => aQrPayment(await ledger.aQr(payee, 43n), payer.id), { status: "approved", kind: "qr" }],
  ])("%s has the same bytes, and is kept by its id alone", async (_what, make, expected) => {
    const action = await make();
    const made = await first(action);
    expect(made.record).toMatchObject(expected);
    expect(await kept(made)).toEqual({ asText: false, id: made.record.id });
    expect(await again(action, made)).toBe(made.text);
  });

  it("has the same bytes after the payment was given back in part, and after all of it was", async () => {
    const action = payment(60n);
    const made = await first(action);
    const part: Refund = aReversal(made.record, 20n);
    const refund = await first(part);
    expect(await again(action, made)).toBe(made.text);
    await first(aReversal(made.record));
    expect(await again(action, made)).toBe(made.text);
    expect(await kept(refund)).toEqual({ asText: false, id: refund.record.id });
    expect(await again(part, refund)).toBe(refund.text);
    const [row] = await ledger.sql`select status from service.transactions where id = ${made.record.id}`;
    expect(row).toEqual({ status: "reversed" });
  });

  it("is kept as text of a hold and its settlement, whose row changes", async () => {
    const hold = payment(30n, { requestedStatus: "pending", holdExpiresAt: new Date(Date.now() + 3_600_000) });
    const made = await first(hold);
    const settlement = aSettlement(made.record, "approved", 25n);
    const settled = await first(settlement);
    expect(await kept(made)).toEqual({ asText: true, id: null });
    expect(await again(hold, made)).toBe(made.text);
    expect(await kept(settled)).toEqual({ asText: true, id: null });
    expect(await again(settlement, settled)).toBe(settled.text);
  });

  it("is refused to another request, and found by whoever makes the key void", async () => {
    const made = await first(payment(50n));
    const other = commandOf(payment(51n), made.key, "another body");
    await expect(ledger.aWriter().post(other)).rejects.toMatchObject({ code: "idempotency_key_reused" });
    const voiding = aCommand(anOrigin(payer.entity, made.key), { type: "void-key" });
    expect((await ledger.aWriter().post(voiding)).body).toEqual({ state: "used" });
  });
});
