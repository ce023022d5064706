import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeDueMonths } from "../../server/service/closing/close-due-months.ts";
import { lastDayOf, monthOf, nextMonth } from "../../server/service/reports/months.ts";
import { businessTime } from "../../src/business-time.ts";
import { addDays } from "../../src/calendar-day.ts";
import { accrueToday, aLoanType, businessDay, creditById, lend, passDays } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks } from "../support/service-calls.ts";

const DAY_SECONDS = 86_400;
const CURRENCY = { code: "COP", numeric: "170", digits: 2 };
const time = businessTime("America/Bogota");
/** 24 % a year of 1 000 001.37: the days leave fractions. */
const PRINCIPAL = "1000001.37";

let service: TestService;
let fintech: TestEntity;

beforeEach(async () => {
  service = await aService();
  fintech = await service.anEntity();
  await aLoanType(fintech, "monthly", { annual_rate_bps: 2_417, day_basis: 360 });
});
afterEach(() => service.stop());

async function aLoan(entity = fintech) {
  const { id } = await aUser(entity);
  return lend(entity, id, PRINCIPAL, { loan_type: "monthly", payment_date: businessDay(service, 90) });
}

/** Reads everything of a credit that depends on a clock, but the ids of its changes. */
async function stateOf(id: string): Promise<object> {
  const [row] = await service.sql`
    select outstanding, accrued, accrual_numerator, unpaid_interest, accrued_through::text, state, movement_count
    from service.credits where id = ${id}`;
  const days = await service.sql`
    select day::text, sum(amount) from service.credit_accruals where credit_id = ${id} group by day
    having sum(amount) <> 0 order by day`;
  return { ...row, days: [...days] };
}

/** The figures of an entity's credits by day, and what its books have: net, as counter-postings add to both sides. */
async function booksOf({ entityId }: TestEntity): Promise<object> {
  const days = await service.sql`
    select day::text, sum(interest_accrued) as accrued, sum(interest_due) as due from service.credit_days
    where entity_id = ${entityId} group by day having sum(interest_accrued) <> 0 or sum(interest_due) <> 0
    order by day`;
  const ledger = await service.sql`
    select kind, day::text, sum(credit - debit) as net from service.ledger_days where entity_id = ${entityId}
    group by kind, day having sum(credit - debit) <> 0 order by kind, day`;
  return { days: [...days], ledger: [...ledger] };
}

/** Runs a process whose clock and database are a while ahead, and that notices nothing. */
async function whileAhead(seconds: number, run: () => Promise<unknown>): Promise<void> {
  service.advance(seconds);
  await run();
  service.advance(-seconds);
}

describe("interest that a clock ahead accrued", () => {
  it("is taken back, and accrued anew comes to what it is where no clock ever jumped", async () => {
    const untouched = await service.anEntity("Untouched");
    await aLoanType(untouched, "monthly", { annual_rate_bps: 2_417, day_basis: 360 });
    const [wrong, right] = [await aLoan(), await aLoan(untouched)];
    passDays(service, 3);
    const { sql, ledger } = service;
    const { accrueDueCredits } = await import("../../server/service/accrual/accrue-due-credits.ts");
    const { entityId } = fintech;
    await whileAhead(3 * DAY_SECONDS, async () => {
      const through = businessDay(service, -1);
      await accrueDueCredits({ sql, ledger, entityId, through });
    });
    expect(await stateOf(wrong.id)).toMatchObject({ accrued_through: businessDay(service, 2) });
    const { body } = await fintech.client.reverseAccruals({ body: { from_day: businessDay(service) } });
    expect(body).toMatchObject({ credits: 1, left: [] });
    expect(Number(body.amount)).toBeGreaterThan(2_000);
    await accrueToday(service);
    expect(await stateOf(wrong.id)).toEqual(await stateOf(right.id));
    expect(await booksOf(fintech)).toEqual(await booksOf(untouched));
    for (const days of [1, 4, 2]) {
      passDays(service, days);
      await accrueToday(service);
      expect(await stateOf(wrong.id)).toEqual(await stateOf(right.id));
      expect(await booksOf(fintech)).toEqual(await booksOf(untouched));
    }
    await expectSoundBooks(service);
  });

  it("is taken back again and again, also of days that are over, which the daily run accrues anew", async () => {
    const loan = await aLoan();
    passDays(service, 4);
    await accrueToday(service);
    const before = [await stateOf(loan.id), await booksOf(fintech)];
    for (const since of [-1, -3, -2]) {
      await fintech.client.reverseAccruals({ body: { from_day: businessDay(service, since) } });
      expect(await stateOf(loan.id)).toMatchObject({ accrued_through: businessDay(service, since - 1) });
      await accrueToday(service);
      expect([await stateOf(loan.id), await booksOf(fintech)]).toEqual(before);
    }
    await expectSoundBooks(service);
  });

  it("stays on a credit that was repaid since, which is named", async () => {
    const loan = await aLoan();
    passDays(service, 2);
    await whileAhead(3 * DAY_SECONDS, () => accrueToday(service));
    const repayment = { id: loan.user_id, credit_id: loan.id, amount: "5", source: "cash" } as const;
    await fintech.client.repayCredit({ body: repayment });
    const before = await stateOf(loan.id);
    const { body } = await fintech.client.reverseAccruals({ body: { from_day: businessDay(service) } });
    expect(body).toEqual({ from_day: businessDay(service), credits: 0, amount: "0", left: [loan.id] });
    expect(await stateOf(loan.id)).toEqual(before);
    await expectSoundBooks(service);
  });

  it("through the day of a repayment stays: it was of the principal before it", async () => {
    const loan = await aLoan();
    passDays(service, 2);
    const repayment = { id: loan.user_id, credit_id: loan.id, amount: "900000", source: "cash" } as const;
    await fintech.client.repayCredit({ body: repayment });
    const before = await stateOf(loan.id);
    await whileAhead(3 * DAY_SECONDS, () => accrueToday(service));
    await fintech.client.reverseAccruals({ body: { from_day: businessDay(service) } });
    expect({ ...(await stateOf(loan.id)), movement_count: 2 }).toEqual(before);
  });

  it("answers a repeated request the same, and takes back nothing more", async () => {
    await aLoan();
    passDays(service, 3);
    await accrueToday(service);
    const input = { body: { from_day: businessDay(service, -1) } };
    const first = await fintech.client.reverseAccruals(input, { idempotencyKey: "once" });
    await accrueToday(service);
    const again = await fintech.client.reverseAccruals(input, { idempotencyKey: "once" });
    expect(again.body).toEqual(first.body);
  });
});

describe("a month that a clock ahead closed", () => {
  const thisMonth = (): string => monthOf(businessDay(service));

  /** Closes this month as if its end were past. */
  async function closeTooEarly(): Promise<void> {
    await whileAhead(40 * DAY_SECONDS, () => closeDueMonths({ ...service, time, currency: CURRENCY }));
    const [row] = await service.sql<{ through: string }[]>`
      select closed_through::text as through from service.entities where id = ${fintech.entityId}`;
    expect((row?.through ?? "") >= lastDayOf(thisMonth())).toBe(true);
  }

  it("is opened again: what is posted is booked on its day, and it is closed anew when it is over", async () => {
    const loan = await aLoan();
    const month = thisMonth();
    await closeTooEarly();
    const query = { year: month.slice(0, 4), month: month.slice(5) };
    const closed = (await fintech.client.getAccountingReport({ query })).body;
    expect(closed.closed).toBe(true);
    const refused = fintech.client.reverseAccruals({ body: { from_day: businessDay(service) } });
    await expect(refused).rejects.toMatchObject({ code: "invalid_request" });

    const { body } = await fintech.client.reopenMonth({ body: { month } });
    expect(body.open_from).toBe(`${month}-01`);
    expect(body.reopened[0]).toMatchObject({ month, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    await fintech.client.reverseAccruals({ body: { from_day: businessDay(service) } });
    expect(await creditById(fintech, loan.id)).toMatchObject({ accrued_interest: 0 });
    expect((await fintech.client.getAccountingReport({ query })).body.closed).toBe(false);
    await aLoan();
    const [latest] = await service.sql`select business_day::text as day from service.postings order by id desc limit 1`;
    expect(latest?.day).toBe(businessDay(service));
    expect((await fintech.client.reopenMonth({ body: { month } })).body.reopened).toEqual([]);

    // The figures of the first close stay kept beside those of the last one.
    while (thisMonth() === month) passDays(service, 5);
    await closeDueMonths({ ...service, time, currency: CURRENCY });
    const again = (await fintech.client.getAccountingReport({ query })).body;
    expect([again.closed, again.principal.granted]).toEqual([true, "2000002.74"]);
    const versions = await service.sql`
      select version, encode(hash, 'hex') as sha256 from service.month_closes
      where entity_id = ${fintech.entityId} and month = ${`${month}-01`} order by version`;
    expect(versions.map(({ version }) => version)).toEqual([1, 2]);
    expect(versions[0]?.sha256).toBe(body.reopened[0]?.sha256);
    await expectSoundBooks(service);
  });

  it("stays closed once it is over", async () => {
    await aLoan();
    const month = thisMonth();
    const next = nextMonth(month);
    passDays(service, Math.round((time.startOf(`${next}-01`).getTime() - service.clock().getTime()) / 86_400_000) + 2);
    await fintech.client.closeMonth({ body: { month } });
    await expect(fintech.client.reopenMonth({ body: { month } })).rejects.toMatchObject({ code: "month_over" });
    expect(addDays(`${next}-01`, -1)).toBe(lastDayOf(month));
  });
});
