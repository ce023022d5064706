import { describe, expect, it } from "vitest";
import type { RepaymentRecord } from "../../server/ledger/model/credit-commands.ts";
import type { UserState } from "../../server/ledger/model/state.ts";
import { addDays } from "../../src/calendar-day.ts";
import { sumAmounts } from "../../src/money.ts";
import { aGrant } from "../support/ledger.ts";
import type { CreditFixture } from "./credit-fixture.ts";
import { accrualThrough } from "./credit-history.ts";
import { aLoan, DUE, discharge, done, lend, loanIn, OPENED, refused, repay } from "./credit-loan.ts";

describe("a repayment after 30 days, worked by hand", () => {
  it("from quota: 2 000 000 pay 197 260 of interest and 1 802 740 of principal", () => {
    const fixture = aLoan();
    fixture.day = DUE;
    const record = done<RepaymentRecord>(fixture, 0, repay(fixture, 2_000_000n, "quota"));
    expect(record).toMatchObject({ repaidInterest: 197_260n, repaidPrincipal: 1_802_740n, paidOut: 0n });
    expect(record).toMatchObject({ recovered: 0n, balanceAfter: 8_000_000n });
    expect(loanIn(fixture)).toMatchObject({ outstanding: 8_197_260n, unpaidInterest: 0n, paidInterest: 197_260n });
    expect(fixture.books(0)).toEqual({
      user_quota: 8_000_000n,
      credits_receivable: -8_197_260n,
      interest_income: 197_260n,
    });
  });

  it("in cash: the same of the debt, and the quota stays", () => {
    const fixture = aLoan();
    fixture.day = DUE;
    const record = done<RepaymentRecord>(fixture, 0, repay(fixture, 2_000_000n, "cash"));
    expect(record).toMatchObject({ repaidInterest: 197_260n, repaidPrincipal: 1_802_740n, balanceAfter: null });
    expect(fixture.books(0)).toMatchObject({ user_quota: 10_000_000n, cash_clearing: -2_000_000n });
    expect(fixture.books(0)).toMatchObject({ credits_receivable: -8_197_260n, interest_income: 197_260n });
  });

  it("of all of it costs the interest up to that day, and closes the credit", () => {
    const fixture = aLoan();
    fixture.day = DUE;
    done(fixture, 0, repay(fixture, 10_197_260n, "cash"));
    expect(loanIn(fixture)).toMatchObject({ state: "closed", closedOn: DUE, outstanding: 0n, unpaidInterest: 0n });
    fixture.day = "2026-12-31";
    done(fixture, 0, accrualThrough(fixture, 0, fixture.day));
    expect(loanIn(fixture)).toMatchObject({ state: "closed", accrued: 197_260n });
  });

  it("of more than all debt is refused, in cash and from quota, to the last minor unit", () => {
    const fixture = aLoan();
    done(fixture, 0, lend(fixture, 0, 1_000_000n, "2026-12-31"));
    fixture.day = DUE;
    // 30 days of 1 000 000 at 24 % are 19 726.03, so all debt is 11 000 000 + 197 260 + 19 726.
    expect(refused(fixture, 0, repay(fixture, 11_216_987n, "cash"))).toBe("more_than_owed");
    expect(refused(fixture, 0, repay(fixture, 11_216_987n, "quota"))).toBe("more_than_owed");
    expect(refused(fixture, 0, repay(fixture, 11_216_986n, "quota"))).toBe("insufficient_balance");
    done(fixture, 0, repay(fixture, 11_216_986n, "cash"));
    expect(fixture.credits.map(({ state }) => state)).toEqual(["closed", "closed"]);
    expect(refused(fixture, 0, repay(fixture, 1n, "cash"))).toBe("more_than_owed");
  });

  it("by discharge of more than all debt pays out the rest", () => {
    const fixture = aLoan();
    done(fixture, 0, aGrant(fixture.user(0), 500_000n, { loanType: "deposit" }));
    fixture.day = DUE;
    const record = done<RepaymentRecord>(fixture, 0, discharge(fixture, 10_300_000n));
    expect(record).toMatchObject({ repaidInterest: 197_260n, repaidPrincipal: 10_000_000n, paidOut: 102_740n });
    expect(record).toMatchObject({ balanceAfter: 200_000n });
    expect(fixture.books(0)).toMatchObject({ cash_clearing: 102_740n - 500_000n, user_quota: 200_000n });
    expect(refused(fixture, 0, discharge(fixture, 200_001n))).toBe("insufficient_balance");
  });

  it("of one credit that is named leaves the one due before it alone", () => {
    const fixture = aLoan();
    done(fixture, 0, lend(fixture, 0, 1_000_000n, "2026-12-31"));
    fixture.day = DUE;
    done(fixture, 0, repay(fixture, 19_727n, "cash", loanIn(fixture, 1).id));
    expect(loanIn(fixture, 1)).toMatchObject({ outstanding: 999_999n, paidInterest: 19_726n });
    expect(loanIn(fixture, 0)).toMatchObject({ outstanding: 10_000_000n, unpaidInterest: 197_260n });
    expect(refused(fixture, 0, repay(fixture, 1n, "cash", "no such credit"))).toBe("credit_not_found");
  });

  it("of a blocked user is taken", () => {
    const fixture = aLoan();
    const user = fixture.state.users.get(fixture.user(0)) as UserState;
    fixture.state = {
      ...fixture.state,
      users: new Map([...fixture.state.users, [user.id, { ...user, blockedAt: new Date(0) }]]),
    };
    expect(done(fixture, 0, repay(fixture, 1n, "quota"))).toMatchObject({ repaidPrincipal: 1n });
  });
});

describe("interest due, on time and late", () => {
  it("counts as on time what is paid on the due date", () => {
    const fixture = aLoan();
    fixture.day = DUE;
    done(fixture, 0, repay(fixture, 200_000n, "cash"));
    expect(fixture.figure(0, "interestDue", DUE)).toBe(197_260n);
    expect(fixture.figure(0, "interestOnTime", DUE)).toBe(197_260n);
    expect(fixture.figure(0, "lateInterest", DUE)).toBe(0n);
  });

  it("counts as late what is paid a day after, and its interest as accrued after the due date", () => {
    const fixture = aLoan();
    fixture.day = addDays(DUE, 1);
    // 31 days: 744 000 000 000 / 3 650 000 = 203 835.6.
    done(fixture, 0, repay(fixture, 203_837n, "cash"));
    expect(fixture.figure(0, "interestDue", DUE)).toBe(197_260n);
    expect(fixture.figure(0, "interestOnTime", DUE)).toBe(0n);
    expect(fixture.figure(0, "lateInterest", fixture.day)).toBe(203_836n);
    expect(fixture.figure(0, "latePrincipal", fixture.day)).toBe(1n);
  });
});

describe("accruing", () => {
  it("a day twice posts nothing more", () => {
    const fixture = aLoan();
    fixture.day = addDays(DUE, 1);
    expect(done(fixture, 0, accrualThrough(fixture, 0, DUE))).toEqual({ credits: 1, amount: 197_260n });
    const before = [fixture.postings.length, fixture.entries.length, fixture.accruals.length, fixture.credits];
    expect(done(fixture, 0, accrualThrough(fixture, 0, DUE))).toEqual({ credits: 0, amount: 0n });
    expect(done(fixture, 0, accrualThrough(fixture, 0, OPENED))).toEqual({ credits: 0, amount: 0n });
    expect([fixture.postings.length, fixture.entries.length, fixture.accruals.length, fixture.credits]).toEqual(before);
  });

  it("reaches no day before it is over, nor another entity's credits", () => {
    const fixture = aLoan();
    expect(done(fixture, 0, accrualThrough(fixture, 0, "2026-02-28"))).toEqual({ credits: 0, amount: 0n });
    fixture.day = addDays(OPENED, 1);
    expect(done(fixture, 0, accrualThrough(fixture, 0, fixture.day))).toEqual({ credits: 0, amount: 0n });
    fixture.day = DUE;
    const others = { ...accrualThrough(fixture, 0, DUE) };
    expect(done(fixture, 1, others)).toEqual({ credits: 0, amount: 0n });
  });

  it("400 days that were skipped gives each day the same as 400 runs, booked on that day", () => {
    const [daily, skipping] = [aLoan(), aLoan()];
    for (let day = 1; day <= 400; day += 1) {
      daily.day = addDays(OPENED, day + 1);
      done(daily, 0, accrualThrough(daily, 0, daily.day));
    }
    skipping.day = daily.day;
    done(skipping, 0, accrualThrough(skipping, 0, skipping.day));
    const daysOf = ({ accruals }: CreditFixture) => accruals.map(({ day, amount }) => [day, amount]);
    expect(daysOf(skipping)).toEqual(daysOf(daily));
    expect(skipping.postings.map(({ day }) => day)).toEqual(daily.postings.map(({ day }) => day));
    // 400 × 10 000 000 × 2 400 / 3 650 000 = 2 630 136.99.
    expect(sumAmounts(skipping.accruals.map(({ amount }) => amount))).toBe(2_630_137n);
    expect(loanIn(skipping).unpaidInterest).toBe(2_630_137n);
  });

  it("books the days of a closed month on the first open day, together", () => {
    const fixture = aLoan();
    fixture.change(0, { closedThrough: "2026-01-31" });
    fixture.day = "2026-02-03";
    done(fixture, 0, accrualThrough(fixture, 0, fixture.day));
    const booked = fixture.postings.slice(1).map(({ day, kind }) => [day, kind]);
    expect(booked).toEqual([
      ["2026-02-01", "accrual"],
      ["2026-02-02", "accrual"],
    ]);
    expect(fixture.accruals.map(({ day }) => day)).toEqual(
      Array.from({ length: 32 }, (_, day) => addDays(OPENED, day + 1)),
    );
    expect(fixture.figure(0, "interestAccrued", "2026-02-01")).toBe(203_836n);
  });
});
