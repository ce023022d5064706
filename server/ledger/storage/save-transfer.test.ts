import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLedger, ledgerFaults, type TestLedger } from "../../../test/support/a-ledger.ts";
import { aCommand, anOrigin, aTransfer, DAY, NOW, type TestEntity } from "../../../test/support/ledger.ts";
import type { Transfer } from "../model/command.ts";

let ledger: TestLedger;
let entity: TestEntity;

beforeAll(async () => {
  ledger = await aLedger();
  entity = await ledger.anEntity();
});
afterAll(() => ledger.drop());

async function transfer(action: Transfer): Promise<Record<string, unknown>> {
  const writer = ledger.aWriter({ clock: () => NOW, slot: 11 });
  await writer.post(aCommand(anOrigin(entity), action));
  const rows = await ledger.sql`select * from service.transfers where reference = ${action.reference}`;
  expect(rows).toHaveLength(1);
  return rows[0] as Record<string, unknown>;
}

describe("what a transfer writes, column by column", () => {
  it("approved, to another entity's user: its row, a posting of its kind, and four entries", async () => {
    const other = await ledger.anEntity();
    const [from, to] = [await ledger.aUser(entity, 900n), await ledger.aUser(other)];
    const date = new Date("2026-01-02T03:04:05.006Z");
    const action = aTransfer(from.id, to.id, 500n, { date, details: '{"b":1.10,"a":"\\u0001"}' });
    const row = await transfer(action);
    expect(row).toEqual({
      id: row.id,
      reference: action.reference,
      status: "approved",
      reason: null,
      exceeded_limit: null,
      amount: 500n,
      date,
      details: action.details,
      from_user_id: from.id,
      from_creator_id: entity.id,
      to_user_id: to.id,
      to_creator_id: other.id,
      made_by: entity.id,
      posting_id: row.posting_id,
      created_at: NOW,
    });
    const [posting] = await ledger.sql`select * from service.postings where id = ${row.posting_id as string}`;
    const { reference } = action;
    const when = { business_day: DAY, slot: expect.any(Number), created_at: NOW };
    expect(posting).toEqual({ id: row.posting_id, kind: "transfer", reference, ...when });
    const entries = await ledger.sql`
      select a.kind, e.amount, e.balance_after from service.entries e join service.accounts a on a.id = e.account_id
      where e.posting_id = ${row.posting_id as string} order by a.kind, e.amount`;
    expect([...entries]).toEqual([
      { kind: "due_from", amount: -500n, balance_after: -500n },
      { kind: "due_to", amount: 500n, balance_after: 500n },
      { kind: "user_quota", amount: -500n, balance_after: 400n },
      { kind: "user_quota", amount: 500n, balance_after: 500n },
    ]);
  });

  it("rejected: its row with the reason, now as its date, and no posting", async () => {
    const [from, to] = [await ledger.aUser(entity, 4n), await ledger.aUser(entity)];
    const rejected = { status: "rejected", reason: "insufficient_balance", posting_id: null, date: NOW };
    expect(await transfer(aTransfer(from.id, to.id, 5n))).toMatchObject(rejected);
    expect([await ledger.balanceOf(from), await ledger.balanceOf(to)]).toEqual([4n, 0n]);
  });

  it("leaves a sound ledger behind", async () => {
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });
});
