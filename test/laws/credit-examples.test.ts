import { describe, expect, it } from "vitest";
import type { RepaymentRecord } from "../../server/ledger/model/credit-commands.ts";
import type { UserState } from "../../server/ledger/model/state.ts";
import { addDays } from "../../src/calendar-day.ts";
import { sumAmounts } from "../../src/money.ts";
import { aGrant } from "../support/ledger.ts";
import { accrualThrough } from "./credit-history.ts";
import { aLoan, DUE, discharge, done, lend, loanIn, OPENED, refused, repay } from "./credit-loan.ts";
import type { CreditWorld } from "./credit-world.ts";

describe("a repayment after 30 days, worked by hand", () => {
  it("from quota: 2 000 000 pay 197 260 of interest and 1 802 740 of principal", () => {
    const world = aLoan();
    world.day = DUE;
    const record = done<RepaymentRecord>(world, 0, repay(world, 2_000_000n, "quota"));
    expect(record).toMatchObject({ repaidInterest: 197_260n, repaidPrincipal: 1_802_740n, paidOut: 0n });
    expect(record).toMatchObject({ recovered: 0n, balanceAfter: 8_000_000n });
    expect(loanIn(world)).toMatchObject({ outstanding: 8_197_260n, unpaidInterest: 0n, paidInterest: 197_260n });
    expect(world.books(0)).toEqual({
      user_quota: 8_000_000n,
      credits_receivable: -8_197_260n,
      interest_income: 197_260n,
    });
  });

  it("in cash: the same of the debt, and the quota stays", () => {
    const world = aLoan();
    world.day = DUE;
    const record = done<RepaymentRecord>(world, 0, repay(world, 2_000_000n, "cash"));
    expect(record).toMatchObject({ repaidInterest: 197_260n, repaidPrincipal: 1_802_740n, balanceAfter: null });
    expect(world.books(0)).toMatchObject({ user_quota: 10_000_000n, cash_clearing: -2_000_000n });
    expect(world.books(0)).toMatchObject({ credits_receivable: -8_197_260n, interest_income: 197_260n });
  });

  it("of all of it costs the interest up to that day, and closes the credit", () => {
    const world = aLoan();
    world.day = DUE;
    done(world, 0, repay(world, 10_197_260n, "cash"));
    expect(loanIn(world)).toMatchObject({ state: "closed", closedOn: DUE, outstanding: 0n, unpaidInterest: 0n });
    world.day = "2026-12-31";
    done(world, 0, accrualThrough(world, 0, world.day));
    expect(loanIn(world)).toMatchObject({ state: "closed", accrued: 197_260n });
  });

  it("of more than all debt is refused, in cash and from quota, to the last minor unit", () => {
    const world = aLoan();
    done(world, 0, lend(world, 0, 1_000_000n, "2026-12-31"));
    world.day = DUE;
    // 30 days of 1 000 000 at 24 % are 19 726.03, so all debt is 11 000 000 + 197 260 + 19 726.
    expect(refused(world, 0, repay(world, 11_216_987n, "cash"))).toBe("more_than_owed");
    expect(refused(world, 0, repay(world, 11_216_987n, "quota"))).toBe("more_than_owed");
    expect(refused(world, 0, repay(world, 11_216_986n, "quota"))).toBe("insufficient_balance");
    done(world, 0, repay(world, 11_216_986n, "cash"));
    expect(world.credits.map(({ state }) => state)).toEqual(["closed", "closed"]);
    expect(refused(world, 0, repay(world, 1n, "cash"))).toBe("more_than_owed");
  });

  it("by discharge of more than all debt pays out the rest", () => {
    const world = aLoan();
    done(world, 0, aGrant(world.user(0), 500_000n, { loanType: "deposit" }));
    world.day = DUE;
    const record = done<RepaymentRecord>(world, 0, discharge(world, 10_300_000n));
    expect(record).toMatchObject({ repaidInterest: 197_260n, repaidPrincipal: 10_000_000n, paidOut: 102_740n });
    expect(record).toMatchObject({ balanceAfter: 200_000n });
    expect(world.books(0)).toMatchObject({ cash_clearing: 102_740n - 500_000n, user_quota: 200_000n });
    expect(refused(world, 0, discharge(world, 200_001n))).toBe("insufficient_balance");
  });

  it("of one credit that is named leaves the one due before it alone", () => {
    const world = aLoan();
    done(world, 0, lend(world, 0, 1_000_000n, "2026-12-31"));
    world.day = DUE;
    done(world, 0, repay(world, 19_727n, "cash", loanIn(world, 1).id));
    expect(loanIn(world, 1)).toMatchObject({ outstanding: 999_999n, paidInterest: 19_726n });
    expect(loanIn(world, 0)).toMatchObject({ outstanding: 10_000_000n, unpaidInterest: 197_260n });
    expect(refused(world, 0, repay(world, 1n, "cash", "no such credit"))).toBe("credit_not_found");
  });

  it("of a blocked user is taken", () => {
    const world = aLoan();
    const user = world.state.users.get(world.user(0)) as UserState;
    world.state = {
      ...world.state,
      users: new Map([...world.state.users, [user.id, { ...user, blockedAt: new Date(0) }]]),
    };
    expect(done(world, 0, repay(world, 1n, "quota"))).toMatchObject({ repaidPrincipal: 1n });
  });
});

describe("interest due, on time and late", () => {
  it("counts as on time what is paid on the due date", () => {
    const world = aLoan();
    world.day = DUE;
    done(world, 0, repay(world, 200_000n, "cash"));
    expect(world.figure(0, "interestDue", DUE)).toBe(197_260n);
    expect(world.figure(0, "interestOnTime", DUE)).toBe(197_260n);
    expect(world.figure(0, "lateInterest", DUE)).toBe(0n);
  });

  it("counts as late what is paid a day after, and its interest as accrued after the due date", () => {
    const world = aLoan();
    world.day = addDays(DUE, 1);
    // 31 days: 744 000 000 000 / 3 650 000 = 203 835.6.
    done(world, 0, repay(world, 203_837n, "cash"));
    expect(world.figure(0, "interestDue", DUE)).toBe(197_260n);
    expect(world.figure(0, "interestOnTime", DUE)).toBe(0n);
    expect(world.figure(0, "lateInterest", world.day)).toBe(203_836n);
    expect(world.figure(0, "latePrincipal", world.day)).toBe(1n);
  });
});

describe("accruing", () => {
  it("a day twice posts nothing more", () => {
    const world = aLoan();
    world.day = addDays(DUE, 1);
    expect(done(world, 0, accrualThrough(world, 0, DUE))).toEqual({ credits: 1, amount: 197_260n });
    const before = [world.postings.length, world.entries.length, world.accruals.length, world.credits];
    expect(done(world, 0, accrualThrough(world, 0, DUE))).toEqual({ credits: 0, amount: 0n });
    expect(done(world, 0, accrualThrough(world, 0, OPENED))).toEqual({ credits: 0, amount: 0n });
    expect([world.postings.length, world.entries.length, world.accruals.length, world.credits]).toEqual(before);
  });

  it("reaches no day before it is over, nor another entity's credits", () => {
    const world = aLoan();
    expect(done(world, 0, accrualThrough(world, 0, "2026-02-28"))).toEqual({ credits: 0, amount: 0n });
    world.day = addDays(OPENED, 1);
    expect(done(world, 0, accrualThrough(world, 0, world.day))).toEqual({ credits: 0, amount: 0n });
    world.day = DUE;
    const others = { ...accrualThrough(world, 0, DUE) };
    expect(done(world, 1, others)).toEqual({ credits: 0, amount: 0n });
  });

  it("400 days that were skipped gives each day the same as 400 runs, booked on that day", () => {
    const [daily, skipping] = [aLoan(), aLoan()];
    for (let day = 1; day <= 400; day += 1) {
      daily.day = addDays(OPENED, day + 1);
      done(daily, 0, accrualThrough(daily, 0, daily.day));
    }
    skipping.day = daily.day;
    done(skipping, 0, accrualThrough(skipping, 0, skipping.day));
    const daysOf = ({ accruals }: CreditWorld) => accruals.map(({ day, amount }) => [day, amount]);
    expect(daysOf(skipping)).toEqual(daysOf(daily));
    expect(skipping.postings.map(({ day }) => day)).toEqual(daily.postings.map(({ day }) => day));
    // 400 × 10 000 000 × 2 400 / 3 650 000 = 2 630 136.99.
    expect(sumAmounts(skipping.accruals.map(({ amount }) => amount))).toBe(2_630_137n);
    expect(loanIn(skipping).unpaidInterest).toBe(2_630_137n);
  });

  it("books the days of a closed month on the first open day, together", () => {
    const world = aLoan();
    world.change(0, { closedThrough: "2026-01-31" });
    world.day = "2026-02-03";
    done(world, 0, accrualThrough(world, 0, world.day));
    const booked = world.postings.slice(1).map(({ day, kind }) => [day, kind]);
    expect(booked).toEqual([
      ["2026-02-01", "accrual"],
      ["2026-02-02", "accrual"],
    ]);
    expect(world.accruals.map(({ day }) => day)).toEqual(
      Array.from({ length: 32 }, (_, day) => addDays(OPENED, day + 1)),
    );
    expect(world.figure(0, "interestAccrued", "2026-02-01")).toBe(203_836n);
  });
});
