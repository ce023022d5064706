import { describe, expect, it } from "vitest";
import type { CreditRecord, ImportCredit, RepaymentRecord } from "../../server/ledger/model/credit-commands.ts";
import { addDays } from "../../src/calendar-day.ts";
import { sumAmounts } from "../../src/money.ts";
import { aPayment } from "../support/ledger.ts";
import { CreditFixture } from "./credit-fixture.ts";
import { accrualThrough } from "./credit-history.ts";
import { aLoan, DUE, discharge, done, end, lend, loanIn, OPENED, refused, repay, TERMS } from "./credit-loan.ts";

describe("writing a credit off", () => {
  it("makes principal and the interest up to that day a loss, and ends the interest", () => {
    const fixture = aLoan();
    fixture.day = DUE;
    const credit = done<CreditRecord>(fixture, 0, end(fixture, "write-off-credit"));
    expect(credit).toMatchObject({ state: "written_off", closedOn: DUE, outstanding: 0n, unpaidInterest: 0n });
    expect(credit).toMatchObject({ writtenOffPrincipal: 10_000_000n, writtenOffInterest: 197_260n });
    expect(fixture.books(0)).toEqual({ user_quota: 10_000_000n, losses: -10_197_260n, interest_income: 197_260n });
    fixture.day = "2026-12-31";
    expect(done(fixture, 0, accrualThrough(fixture, 0, fixture.day))).toEqual({ credits: 0, amount: 0n });
  });

  it("makes what is paid later a recovery, after the open credits, never more than was written off", () => {
    const fixture = aLoan();
    done(fixture, 0, lend(fixture, 0, 1_000_000n, "2026-12-31"));
    fixture.day = DUE;
    done(fixture, 0, end(fixture, "write-off-credit"));
    // The open credit owes 1 000 000 and 19 726 of interest.
    const inCash = done<RepaymentRecord>(fixture, 0, repay(fixture, 1_119_726n, "cash"));
    expect(inCash).toMatchObject({ repaidInterest: 19_726n, repaidPrincipal: 1_000_000n, recovered: 100_000n });
    const fromQuota = done<RepaymentRecord>(fixture, 0, repay(fixture, 400_000n, "quota", loanIn(fixture).id));
    expect(fromQuota).toMatchObject({ repaidPrincipal: 0n, recovered: 400_000n, balanceAfter: 10_600_000n });
    expect(fixture.books(0)).toMatchObject({ recoveries: 500_000n, cash_clearing: -1_119_726n });
    expect(refused(fixture, 0, repay(fixture, 9_697_261n, "cash"))).toBe("more_than_owed");
    done(fixture, 0, repay(fixture, 9_697_260n, "cash"));
    expect(loanIn(fixture)).toMatchObject({ state: "written_off", recovered: 10_197_260n, paidInterest: 0n });
    const recoveries = fixture.movements.filter(({ kind }) => kind === "recovered");
    expect(recoveries.map(({ principal, interest }) => [principal, interest])).toEqual([
      [0n, 100_000n],
      [302_740n, 97_260n],
      [9_697_260n, 0n],
    ]);
  });

  it("leaves a discharge to pay out: what was given up is not taken from the quota", () => {
    const fixture = aLoan();
    done(fixture, 0, end(fixture, "write-off-credit"));
    expect(done(fixture, 0, discharge(fixture, 500n))).toMatchObject({ recovered: 0n, paidOut: 500n });
  });

  it("is refused of a credit that is not open, or is nobody's", () => {
    const fixture = aLoan();
    done(fixture, 0, end(fixture, "write-off-credit"));
    expect(refused(fixture, 0, end(fixture, "write-off-credit"))).toBe("credit_not_open");
    expect(refused(fixture, 0, end(fixture, "cancel-credit"))).toBe("credit_not_open");
    expect(refused(fixture, 0, end(fixture, "write-off-credit", "no such credit"))).toBe("credit_not_found");
    expect(refused(fixture, 1, end(fixture, "write-off-credit"))).toBe("credit_not_found");
    expect(refused(fixture, 0, { ...end(fixture, "write-off-credit"), userId: fixture.user(1) })).toBe(
      "credit_not_found",
    );
    expect(refused(fixture, 0, { ...end(fixture, "write-off-credit"), userId: "nobody" })).toBe("user_not_found");
  });
});

describe("undoing a wrong assignment", () => {
  it("takes its quota back and reverses its interest, and nothing is left of it", () => {
    const fixture = aLoan();
    fixture.day = addDays(DUE, 1);
    const credit = done<CreditRecord>(fixture, 0, end(fixture, "cancel-credit"));
    expect(credit).toMatchObject({ state: "cancelled", closedOn: fixture.day, outstanding: 0n, unpaidInterest: 0n });
    expect(fixture.books(0)).toEqual({});
    expect(fixture.figure(0, "interestCancelled", fixture.day)).toBe(203_836n);
    expect(fixture.figure(0, "interestDue", DUE)).toBe(0n);
  });

  it("is refused when part is repaid, or when the quota is spent", () => {
    const fixture = aLoan();
    done(fixture, 0, aPayment(fixture.user(0), fixture.user(1), 1n));
    expect(refused(fixture, 0, end(fixture, "cancel-credit"))).toBe("insufficient_balance");
    done(fixture, 0, repay(fixture, 1n, "cash"));
    expect(refused(fixture, 0, end(fixture, "cancel-credit"))).toBe("credit_repaid");
  });

  it("of another entity's user gives back no more than that entity had given", () => {
    const fixture = new CreditFixture(OPENED, 2, [0n, 0n]);
    done(fixture, 1, lend(fixture, 0));
    expect(fixture.books(0)).toEqual({ user_quota: 10_000_000n, due_from: -10_000_000n });
    done(fixture, 1, end(fixture, "cancel-credit"));
    expect(fixture.books(0)).toMatchObject({ due_from: -10_000_000n, due_to: 10_000_000n });
    expect(fixture.books(1)).toMatchObject({ due_from: -10_000_000n, due_to: 10_000_000n });
  });
});

describe("importing a credit", () => {
  const anImport = (fixture: CreditFixture): ImportCredit => ({
    type: "import-credit",
    userId: fixture.user(0),
    principal: 12_000_000n,
    outstanding: 10_000_000n,
    unpaidInterest: 50_000n,
    loanType: "loan",
    terms: TERMS,
    openedOn: "2025-06-01",
    dueDate: DUE,
    accruedThrough: OPENED,
    reference: "import",
  });
  const anImported = (day = addDays(DUE, 1), closedThrough: string | null = null): CreditFixture => {
    const fixture = new CreditFixture(day, 2, [0n, 0n]);
    fixture.change(0, { closedThrough });
    done(fixture, 0, anImport(fixture));
    return fixture;
  };

  it("takes over debt against cash, gives no quota, and accrues from the day that is named", () => {
    const fixture = anImported();
    expect(loanIn(fixture)).toMatchObject({ principal: 12_000_000n, outstanding: 10_000_000n, openedOn: "2025-06-01" });
    expect(loanIn(fixture)).toMatchObject({ accrued: 197_260n, unpaidInterest: 247_260n, accruedThrough: DUE });
    expect(fixture.books(0)).toEqual({
      credits_receivable: -10_000_000n,
      interest_receivable: -247_260n,
      cash_clearing: 10_050_000n,
      interest_income: 197_260n,
    });
    expect(fixture.figure(0, "interestDue", DUE)).toBe(247_260n);
  });

  it("enters the books on its own day with all of its interest, whether months before are closed or not", () => {
    for (const closedThrough of [null, "2025-12-31", "2026-01-31"]) {
      const fixture = anImported("2026-02-02", closedThrough);
      expect(fixture.postings.map(({ kind, day }) => [kind, day])).toEqual([
        ["import", "2026-02-02"],
        ["accrual", "2026-02-02"],
      ]);
      const days = Array.from({ length: 31 }, (_, day) => addDays(OPENED, day + 1));
      expect(fixture.accruals.map(({ day }) => day)).toEqual(days);
      // 31 days: 744 000 000 000 / 3 650 000 = 203 835.6, beside the 50 000 that were owed before.
      expect(fixture.figure(0, "interestAccrued", "2026-02-02")).toBe(253_836n);
      expect(sumAmounts(fixture.creditDays.map(({ figures }) => figures.interestAccrued ?? 0n))).toBe(253_836n);
    }
  });

  it("accrues the days to come on those days", () => {
    const fixture = anImported("2026-02-02");
    fixture.day = "2026-02-04";
    done(fixture, 0, accrualThrough(fixture, 0, fixture.day));
    expect(fixture.postings.slice(2).map(({ kind, day }) => [kind, day])).toEqual([
      ["accrual", "2026-02-02"],
      ["accrual", "2026-02-03"],
    ]);
  });

  it("can be undone without taking quota, for what it was taken over for", () => {
    const fixture = anImported();
    done(fixture, 0, end(fixture, "cancel-credit"));
    expect(fixture.books(0)).toEqual({});
    expect(fixture.figure(0, "interestDue", DUE)).toBe(0n);
  });

  it("is refused of nobody, and of nothing", () => {
    const fixture = new CreditFixture(DUE, 2, [0n, 0n]);
    expect(refused(fixture, 0, { ...anImport(fixture), userId: "nobody" })).toBe("user_not_found");
    const nothing = { ...anImport(fixture), outstanding: 0n, unpaidInterest: 0n };
    expect(refused(fixture, 0, nothing)).toBe("invalid_request");
  });
});

describe("an entity that lent to another's user", () => {
  /** The second entity lent 1 000 to the first one's user, who owes its own entity 100 000. */
  function aForeignLoan(): CreditFixture {
    const fixture = aLoan();
    done(fixture, 1, lend(fixture, 0, 100_000n));
    fixture.day = DUE;
    return fixture;
  }

  it("takes back what it assigned, not a minor unit more: its interest is paid in cash", () => {
    const fixture = aForeignLoan();
    for (const take of [discharge(fixture, 100_001n), repay(fixture, 100_001n, "quota")]) {
      expect(refused(fixture, 1, take)).toBe("user_not_yours");
    }
    const record = done<RepaymentRecord>(fixture, 1, discharge(fixture, 100_000n));
    expect(record).toMatchObject({ repaidInterest: 0n, repaidPrincipal: 100_000n, paidOut: 0n });
    const own = { credits_receivable: -10_000_000n, user_quota: 10_000_000n };
    expect(fixture.books(0)).toEqual({ ...own, due_to: 100_000n, due_from: -100_000n });
    expect(refused(fixture, 1, discharge(fixture, 1n))).toBe("user_not_yours");
    expect(done<RepaymentRecord>(fixture, 1, repay(fixture, 1_973n, "cash"))).toMatchObject({ repaidInterest: 1_973n });
  });

  it("recovers in cash alone what it wrote off", () => {
    const fixture = aForeignLoan();
    const credit = fixture.credits.find(({ entityId }) => entityId === fixture.entity(1).id);
    done(fixture, 1, {
      type: "write-off-credit",
      userId: fixture.user(0),
      creditId: credit?.id ?? "",
      reference: "gone",
    });
    expect(refused(fixture, 1, repay(fixture, 1n, "quota"))).toBe("user_not_yours");
    expect(done<RepaymentRecord>(fixture, 1, repay(fixture, 1n, "cash"))).toMatchObject({ recovered: 1n });
  });

  it("takes back what it is owed, interest included, where the user's creator lets lenders do so", () => {
    const fixture = aForeignLoan();
    fixture.change(0, { foreignLenders: "owed" });
    // 30 days of 100 000 at 24 % are 1 972.6.
    expect(refused(fixture, 1, discharge(fixture, 101_974n))).toBe("user_not_yours");
    expect(refused(fixture, 1, repay(fixture, 101_974n, "quota"))).toBe("user_not_yours");
    const record = done<RepaymentRecord>(fixture, 1, discharge(fixture, 101_973n));
    expect(record).toMatchObject({ repaidInterest: 1_973n, repaidPrincipal: 100_000n, paidOut: 0n });
    expect(fixture.books(0)).toMatchObject({ user_quota: 9_998_027n, due_to: 101_973n, due_from: -100_000n });
    expect(fixture.books(1)).toEqual({ interest_income: 1_973n, due_to: 100_000n, due_from: -101_973n });
    expect(refused(fixture, 1, discharge(fixture, 1n))).toBe("user_not_yours");
    expect(loanIn(fixture)).toMatchObject({ outstanding: 10_000_000n });
  });

  it("is told the right before the balance", () => {
    const fixture = aForeignLoan();
    fixture.change(0, { foreignLenders: "owed" });
    done(fixture, 0, aPayment(fixture.user(0), fixture.user(1), 10_100_000n));
    expect(refused(fixture, 1, discharge(fixture, 101_974n))).toBe("user_not_yours");
    expect(refused(fixture, 1, discharge(fixture, 101_973n))).toBe("insufficient_balance");
    expect(refused(fixture, 0, { ...discharge(fixture, 1n), userId: "nobody" })).toBe("user_not_found");
  });

  it("tells the user's creator of the quota that it gives", () => {
    const fixture = new CreditFixture(OPENED, 2, [0n, 0n]);
    for (const index of [0, 1]) fixture.change(index, { sendsEvents: true });
    done(fixture, 1, lend(fixture, 0, 100_000n));
    const told = fixture.events.map(({ entityId, event }) => [entityId, event.type]);
    expect(told).toEqual([1, 0].map((index) => [fixture.entity(index).id, "quota.added"]));
  });

  it("tells the user's creator what was taken, and of no credit", () => {
    const fixture = aForeignLoan();
    for (const index of [0, 1]) fixture.change(index, { sendsEvents: true });
    done(fixture, 1, discharge(fixture, 50_000n));
    done(fixture, 1, repay(fixture, 1n, "cash"));
    const told = fixture.events.map(({ entityId, event }) => [
      entityId === fixture.entity(0).id ? "creator" : "lender",
      event.type,
      "repayment" in event ? event.repayment.credits.length : undefined,
    ]);
    expect(told).toEqual([
      ["lender", "quota.discharged", 1],
      ["creator", "quota.discharged", 0],
      ["lender", "credit.repaid", 1],
      ["lender", "credit.repaid", 1],
    ]);
  });
});
