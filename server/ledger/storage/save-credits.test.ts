import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays } from "../../../src/calendar-day.ts";
import { aLedger, ledgerFaults, type TestLedger, type TestUser } from "../../../test/support/a-ledger.ts";
import { aCommand, aGrant, anOrigin, type TestEntity } from "../../../test/support/ledger.ts";
import type { Action } from "../model/command.ts";
import type { CreditTerms } from "../model/credit-commands.ts";

const OPENED = "2026-01-01";
const TERMS: CreditTerms = {
  annualRateBps: 2_400,
  dayBasis: 365,
  afterDue: "stop",
  arrearAfter: 5,
  defaultAfter: 30,
};

let ledger: TestLedger;
let entity: TestEntity;
let user: TestUser;
/** The business day in every writer of the test. */
let today = OPENED;

beforeAll(async () => {
  ledger = await aLedger();
  entity = await ledger.anEntity();
});
afterAll(() => ledger.drop());

const clock = (): Date => new Date(`${today}T15:00:00Z`);

async function tell(action: Action, writer = ledger.aWriter({ clock })): Promise<unknown> {
  return (await writer.post(aCommand(anOrigin(entity), action))).body;
}

async function aLoan(): Promise<string> {
  today = OPENED;
  user = await ledger.aUser(entity);
  await tell(aGrant(user.id, 10_000_000n, { terms: TERMS, loanType: "loan", dueDate: "2026-01-31" }));
  const [credit] = await ledger.sql<{ id: string }[]>`select id from service.credits where user_id = ${user.id}`;
  return credit?.id ?? "";
}

const repay = (creditId: string, amount: bigint): Action => ({
  type: "repay-credit",
  userId: user.id,
  creditId,
  amount,
  source: "cash",
  reference: "repayment",
});

const accrue = (creditId: string): Action => ({
  type: "accrue",
  through: today,
  credits: [{ creditId, userId: user.id }],
});

describe("what becomes of a credit in the database", () => {
  it("its terms, accruals and movements, and what it owes after a late part payment, column by column", async () => {
    const id = await aLoan();
    today = "2026-03-01";
    await tell(repay(id, 2_000_000n));
    const [credit] = await ledger.sql`
      select state, principal, outstanding, annual_rate_bps, day_basis, after_due, arrear_after, default_after,
        accrued_through::text, accrual_numerator, accrued, unpaid_interest, paid_interest, movement_count, is_imported
      from service.credits where id = ${id}`;
    expect(credit).toEqual({
      state: "open",
      principal: 10_000_000n,
      outstanding: 8_197_260n,
      annual_rate_bps: 2_400,
      day_basis: 365,
      after_due: "stop",
      arrear_after: 5,
      default_after: 30,
      accrued_through: "2026-03-01",
      accrual_numerator: "720000000000",
      accrued: 197_260n,
      unpaid_interest: 0n,
      paid_interest: 197_260n,
      movement_count: 2,
      is_imported: false,
    });
    const accruals = await ledger.sql<{ day: string; amount: bigint }[]>`
      select day::text, amount from service.credit_accruals where credit_id = ${id} order by day`;
    expect(accruals.map(({ day }) => day)).toEqual(Array.from({ length: 30 }, (_, day) => addDays(OPENED, day + 1)));
    const movements = await ledger.sql`
      select sequence_number, kind, day::text, principal, interest from service.credit_movements
      where credit_id = ${id} order by sequence_number`;
    expect([...movements]).toEqual([
      { sequence_number: 1, kind: "granted", day: OPENED, principal: 10_000_000n, interest: 0n },
      { sequence_number: 2, kind: "repaid", day: "2026-03-01", principal: 1_802_740n, interest: 197_260n },
    ]);
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });

  it("accrued by several processes at once, each day is posted once", async () => {
    const id = await aLoan();
    today = addDays(OPENED, 31);
    const writers = Array.from({ length: 4 }, (_, slot) => ledger.aWriter({ clock, slot }));
    const told = await Promise.all(writers.flatMap((writer) => [tell(accrue(id), writer), tell(accrue(id), writer)]));
    const amounts = told.map((body) => (body as { amount: string }).amount);
    expect(amounts.toSorted()).toEqual(["0", "0", "0", "0", "0", "0", "0", "197260"]);
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });

  it("of two last repayments at once, one is taken and the other is more than is owed", async () => {
    const id = await aLoan();
    today = addDays(OPENED, 30);
    const writers = Array.from({ length: 2 }, (_, slot) => ledger.aWriter({ clock, slot }));
    const told = await Promise.allSettled(writers.map((writer) => tell(repay(id, 10_197_260n), writer)));
    expect(told.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(told.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "more_than_owed" } });
    const [credit] = await ledger.sql`select state, closed_on::text from service.credits where id = ${id}`;
    expect(credit).toEqual({ state: "closed", closed_on: today });
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });

  it("400 days later, accrued at once, in a fraction of a second", async () => {
    const id = await aLoan();
    await tell({ type: "write-off-credit", userId: user.id, creditId: id, reference: "write-off" });
    await tell(aGrant(user.id, 10_000_000n, { terms: { ...TERMS, afterDue: "continue" }, loanType: "loan" }));
    const [open] = await ledger.sql<{ id: string }[]>`
      select id from service.credits where user_id = ${user.id} and state = 'open'`;
    today = addDays(OPENED, 401);
    const started = performance.now();
    expect(await tell(accrue(open?.id ?? ""))).toMatchObject({ amount: "2630137" });
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });
});
