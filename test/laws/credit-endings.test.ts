import { describe, expect, it } from "vitest";
import type { Credit, ImportCredit, RepaymentRecord } from "../../server/ledger/model/credit-commands.ts";
import { addDays } from "../../src/calendar-day.ts";
import { sumAmounts } from "../../src/money.ts";
import { aPayment } from "../support/ledger.ts";
import { accrualThrough } from "./credit-history.ts";
import { aLoan, DUE, discharge, done, end, lend, loanIn, OPENED, refused, repay, TERMS } from "./credit-loan.ts";
import { CreditWorld } from "./credit-world.ts";

describe("writing a credit off", () => {
  it("makes principal and the interest up to that day a loss, and ends the interest", () => {
    const world = aLoan();
    world.day = DUE;
    const credit = done<Credit>(world, 0, end(world, "write-off-credit"));
    expect(credit).toMatchObject({ state: "written_off", closedOn: DUE, outstanding: 0n, unpaidInterest: 0n });
    expect(credit).toMatchObject({ writtenOffPrincipal: 10_000_000n, writtenOffInterest: 197_260n });
    expect(world.books(0)).toEqual({ user_quota: 10_000_000n, losses: -10_197_260n, interest_income: 197_260n });
    world.day = "2026-12-31";
    expect(done(world, 0, accrualThrough(world, 0, world.day))).toEqual({ credits: 0, amount: 0n });
  });

  it("makes what is paid later a recovery, after the open credits, never more than was written off", () => {
    const world = aLoan();
    done(world, 0, lend(world, 0, 1_000_000n, "2026-12-31"));
    world.day = DUE;
    done(world, 0, end(world, "write-off-credit"));
    // The open credit owes 1 000 000 and 19 726 of interest.
    const inCash = done<RepaymentRecord>(world, 0, repay(world, 1_119_726n, "cash"));
    expect(inCash).toMatchObject({ repaidInterest: 19_726n, repaidPrincipal: 1_000_000n, recovered: 100_000n });
    const fromQuota = done<RepaymentRecord>(world, 0, repay(world, 400_000n, "quota", loanIn(world).id));
    expect(fromQuota).toMatchObject({ repaidPrincipal: 0n, recovered: 400_000n, balanceAfter: 10_600_000n });
    expect(world.books(0)).toMatchObject({ recoveries: 500_000n, cash_clearing: -1_119_726n });
    expect(refused(world, 0, repay(world, 9_697_261n, "cash"))).toBe("more_than_owed");
    done(world, 0, repay(world, 9_697_260n, "cash"));
    expect(loanIn(world)).toMatchObject({ state: "written_off", recovered: 10_197_260n, paidInterest: 0n });
    const recoveries = world.movements.filter(({ kind }) => kind === "recovered");
    expect(recoveries.map(({ principal, interest }) => [principal, interest])).toEqual([
      [0n, 100_000n],
      [302_740n, 97_260n],
      [9_697_260n, 0n],
    ]);
  });

  it("leaves a discharge to pay out: what was given up is not taken from the quota", () => {
    const world = aLoan();
    done(world, 0, end(world, "write-off-credit"));
    expect(done(world, 0, discharge(world, 500n))).toMatchObject({ recovered: 0n, paidOut: 500n });
  });

  it("is refused of a credit that is not open, or is nobody's", () => {
    const world = aLoan();
    done(world, 0, end(world, "write-off-credit"));
    expect(refused(world, 0, end(world, "write-off-credit"))).toBe("credit_not_open");
    expect(refused(world, 0, end(world, "cancel-credit"))).toBe("credit_not_open");
    expect(refused(world, 0, end(world, "write-off-credit", "no such credit"))).toBe("credit_not_found");
    expect(refused(world, 1, end(world, "write-off-credit"))).toBe("credit_not_found");
    expect(refused(world, 0, { ...end(world, "write-off-credit"), userId: world.user(1) })).toBe("credit_not_found");
    expect(refused(world, 0, { ...end(world, "write-off-credit"), userId: "nobody" })).toBe("user_not_found");
  });
});

describe("undoing a wrong assignment", () => {
  it("takes its quota back and reverses its interest, and nothing is left of it", () => {
    const world = aLoan();
    world.day = addDays(DUE, 1);
    const credit = done<Credit>(world, 0, end(world, "cancel-credit"));
    expect(credit).toMatchObject({ state: "cancelled", closedOn: world.day, outstanding: 0n, unpaidInterest: 0n });
    expect(world.books(0)).toEqual({});
    expect(world.figure(0, "interestCancelled", world.day)).toBe(203_836n);
    expect(world.figure(0, "interestDue", DUE)).toBe(0n);
  });

  it("is refused when part is repaid, or when the quota is spent", () => {
    const world = aLoan();
    done(world, 0, aPayment(world.user(0), world.user(1), 1n));
    expect(refused(world, 0, end(world, "cancel-credit"))).toBe("insufficient_balance");
    done(world, 0, repay(world, 1n, "cash"));
    expect(refused(world, 0, end(world, "cancel-credit"))).toBe("credit_repaid");
  });

  it("of another entity's user gives back no more than that entity had given", () => {
    const world = new CreditWorld(OPENED, 2, [0n, 0n]);
    done(world, 1, lend(world, 0));
    expect(world.books(0)).toEqual({ user_quota: 10_000_000n, due_from: -10_000_000n });
    done(world, 1, end(world, "cancel-credit"));
    expect(world.books(0)).toMatchObject({ due_from: -10_000_000n, due_to: 10_000_000n });
    expect(world.books(1)).toMatchObject({ due_from: -10_000_000n, due_to: 10_000_000n });
  });
});

describe("importing a credit", () => {
  const anImport = (world: CreditWorld): ImportCredit => ({
    type: "import-credit",
    userId: world.user(0),
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
  const anImported = (day = addDays(DUE, 1), closedThrough: string | null = null): CreditWorld => {
    const world = new CreditWorld(day, 2, [0n, 0n]);
    world.change(0, { closedThrough });
    done(world, 0, anImport(world));
    return world;
  };

  it("takes over debt against cash, gives no quota, and accrues from the day that is named", () => {
    const world = anImported();
    expect(loanIn(world)).toMatchObject({ principal: 12_000_000n, outstanding: 10_000_000n, openedOn: "2025-06-01" });
    expect(loanIn(world)).toMatchObject({ accrued: 197_260n, unpaidInterest: 247_260n, accruedThrough: DUE });
    expect(world.books(0)).toEqual({
      credits_receivable: -10_000_000n,
      interest_receivable: -247_260n,
      cash_clearing: 10_050_000n,
      interest_income: 197_260n,
    });
    expect(world.figure(0, "interestDue", DUE)).toBe(247_260n);
  });

  it("enters the books on its own day with all of its interest, whether months before are closed or not", () => {
    for (const closedThrough of [null, "2025-12-31", "2026-01-31"]) {
      const world = anImported("2026-02-02", closedThrough);
      expect(world.postings.map(({ kind, day }) => [kind, day])).toEqual([
        ["import", "2026-02-02"],
        ["accrual", "2026-02-02"],
      ]);
      const days = Array.from({ length: 31 }, (_, day) => addDays(OPENED, day + 1));
      expect(world.accruals.map(({ day }) => day)).toEqual(days);
      // 31 days: 744 000 000 000 / 3 650 000 = 203 835.6, beside the 50 000 that were owed before.
      expect(world.figure(0, "interestAccrued", "2026-02-02")).toBe(253_836n);
      expect(sumAmounts(world.creditDays.map(({ figures }) => figures.interestAccrued ?? 0n))).toBe(253_836n);
    }
  });

  it("accrues the days to come on those days", () => {
    const world = anImported("2026-02-02");
    world.day = "2026-02-04";
    done(world, 0, accrualThrough(world, 0, world.day));
    expect(world.postings.slice(2).map(({ kind, day }) => [kind, day])).toEqual([
      ["accrual", "2026-02-02"],
      ["accrual", "2026-02-03"],
    ]);
  });

  it("can be undone without taking quota, for what it was taken over for", () => {
    const world = anImported();
    done(world, 0, end(world, "cancel-credit"));
    expect(world.books(0)).toEqual({});
    expect(world.figure(0, "interestDue", DUE)).toBe(0n);
  });

  it("is refused of nobody, and of nothing", () => {
    const world = new CreditWorld(DUE, 2, [0n, 0n]);
    expect(refused(world, 0, { ...anImport(world), userId: "nobody" })).toBe("user_not_found");
    const nothing = { ...anImport(world), outstanding: 0n, unpaidInterest: 0n };
    expect(refused(world, 0, nothing)).toBe("invalid_request");
  });
});

describe("an entity that lent to another's user", () => {
  /** The second entity lent 1 000 to the first one's user, who owes its own entity 100 000. */
  function aForeignLoan(): CreditWorld {
    const world = aLoan();
    done(world, 1, lend(world, 0, 100_000n));
    world.day = DUE;
    return world;
  }

  it("takes back what it assigned, not a minor unit more: its interest is paid in cash", () => {
    const world = aForeignLoan();
    for (const take of [discharge(world, 100_001n), repay(world, 100_001n, "quota")]) {
      expect(refused(world, 1, take)).toBe("user_not_yours");
    }
    const record = done<RepaymentRecord>(world, 1, discharge(world, 100_000n));
    expect(record).toMatchObject({ repaidInterest: 0n, repaidPrincipal: 100_000n, paidOut: 0n });
    const own = { credits_receivable: -10_000_000n, user_quota: 10_000_000n };
    expect(world.books(0)).toEqual({ ...own, due_to: 100_000n, due_from: -100_000n });
    expect(refused(world, 1, discharge(world, 1n))).toBe("user_not_yours");
    expect(done<RepaymentRecord>(world, 1, repay(world, 1_973n, "cash"))).toMatchObject({ repaidInterest: 1_973n });
  });

  it("recovers in cash alone what it wrote off", () => {
    const world = aForeignLoan();
    const credit = world.credits.find(({ entityId }) => entityId === world.entity(1).id);
    done(world, 1, { type: "write-off-credit", userId: world.user(0), creditId: credit?.id ?? "", reference: "gone" });
    expect(refused(world, 1, repay(world, 1n, "quota"))).toBe("user_not_yours");
    expect(done<RepaymentRecord>(world, 1, repay(world, 1n, "cash"))).toMatchObject({ recovered: 1n });
  });

  it("takes back what it is owed, interest included, where the user's creator lets lenders do so", () => {
    const world = aForeignLoan();
    world.change(0, { foreignLenders: "owed" });
    // 30 days of 100 000 at 24 % are 1 972.6.
    expect(refused(world, 1, discharge(world, 101_974n))).toBe("user_not_yours");
    expect(refused(world, 1, repay(world, 101_974n, "quota"))).toBe("user_not_yours");
    const record = done<RepaymentRecord>(world, 1, discharge(world, 101_973n));
    expect(record).toMatchObject({ repaidInterest: 1_973n, repaidPrincipal: 100_000n, paidOut: 0n });
    expect(world.books(0)).toMatchObject({ user_quota: 9_998_027n, due_to: 101_973n, due_from: -100_000n });
    expect(world.books(1)).toEqual({ interest_income: 1_973n, due_to: 100_000n, due_from: -101_973n });
    expect(refused(world, 1, discharge(world, 1n))).toBe("user_not_yours");
    expect(loanIn(world)).toMatchObject({ outstanding: 10_000_000n });
  });

  it("is told the right before the balance", () => {
    const world = aForeignLoan();
    world.change(0, { foreignLenders: "owed" });
    done(world, 0, aPayment(world.user(0), world.user(1), 10_100_000n));
    expect(refused(world, 1, discharge(world, 101_974n))).toBe("user_not_yours");
    expect(refused(world, 1, discharge(world, 101_973n))).toBe("insufficient_balance");
    expect(refused(world, 0, { ...discharge(world, 1n), userId: "nobody" })).toBe("user_not_found");
  });

  it("tells the user's creator of the quota that it gives", () => {
    const world = new CreditWorld(OPENED, 2, [0n, 0n]);
    for (const index of [0, 1]) world.change(index, { sendsEvents: true });
    done(world, 1, lend(world, 0, 100_000n));
    const told = world.events.map(({ entityId, happening }) => [entityId, happening.type]);
    expect(told).toEqual([1, 0].map((index) => [world.entity(index).id, "quota.added"]));
  });

  it("tells the user's creator what was taken, and of no credit", () => {
    const world = aForeignLoan();
    for (const index of [0, 1]) world.change(index, { sendsEvents: true });
    done(world, 1, discharge(world, 50_000n));
    done(world, 1, repay(world, 1n, "cash"));
    const told = world.events.map(({ entityId, happening }) => [
      entityId === world.entity(0).id ? "creator" : "lender",
      happening.type,
      "repayment" in happening ? happening.repayment.credits.length : undefined,
    ]);
    expect(told).toEqual([
      ["lender", "quota.discharged", 1],
      ["creator", "quota.discharged", 0],
      ["lender", "credit.repaid", 1],
      ["lender", "credit.repaid", 1],
    ]);
  });
});
