import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sumAmounts } from "../../../src/money.ts";
import { allocateRepayment, type OwedCredit } from "./repayment.ts";

const credit = (id: string, more: Partial<OwedCredit> = {}): OwedCredit => ({
  id,
  dueDate: "2026-06-30",
  openedOn: "2026-01-01",
  unpaidInterest: 10n,
  outstanding: 100n,
  ...more,
});

function spread(credits: readonly OwedCredit[], amount: bigint): [string, bigint, bigint][] {
  return allocateRepayment(credits, amount).shares.map(({ credit: { id }, interest, principal }) => [
    id,
    interest,
    principal,
  ]);
}

const aCredit: fc.Arbitrary<OwedCredit> = fc.record({
  id: fc.uuid(),
  dueDate: fc.option(fc.constantFrom("2026-02-01", "2026-06-30")),
  openedOn: fc.constantFrom("2025-12-31", "2026-01-01"),
  unpaidInterest: fc.bigInt(0n, 50n),
  outstanding: fc.bigInt(0n, 200n),
});

describe("a repayment", () => {
  test("pays a credit's interest first, then its principal", () => {
    expect(spread([credit("a")], 4n)).toEqual([["a", 4n, 0n]]);
    expect(spread([credit("a")], 10n)).toEqual([["a", 10n, 0n]]);
    expect(spread([credit("a")], 11n)).toEqual([["a", 10n, 1n]]);
    expect(spread([credit("a")], 110n)).toEqual([["a", 10n, 100n]]);
  });

  test("finishes one credit, principal included, before the interest of the next", () => {
    const credits = [credit("b", { dueDate: "2026-07-31" }), credit("a")];
    expect(spread(credits, 115n)).toEqual([
      ["a", 10n, 100n],
      ["b", 5n, 0n],
    ]);
  });

  test("goes by due date, none last, then by opening, then by id", () => {
    const credits = [
      credit("e", { dueDate: null, openedOn: "2025-01-01" }),
      credit("d", { openedOn: "2026-01-02" }),
      credit("c"),
      credit("b"),
      credit("a", { dueDate: "2026-06-29", openedOn: "2026-05-01" }),
    ];
    expect(spread(credits, 10_000n).map(([id]) => id)).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("leaves what no credit is left to take", () => {
    expect(allocateRepayment([credit("a"), credit("b")], 250n).rest).toBe(30n);
    expect(allocateRepayment([], 7n)).toEqual({ shares: [], rest: 7n });
  });

  test("passes over credits that owe nothing", () => {
    expect(spread([credit("a", { unpaidInterest: 0n, outstanding: 0n }), credit("b")], 1n)).toEqual([["b", 1n, 0n]]);
  });

  test("is spread whole, never gives a credit more than it owes, and leaves only when all is paid", () => {
    fc.assert(
      fc.property(fc.array(aCredit), fc.bigInt(0n, 1_000n), (credits, amount) => {
        const { shares, rest } = allocateRepayment(credits, amount);
        expect(sumAmounts(shares.map(({ interest, principal }) => interest + principal)) + rest).toBe(amount);
        for (const { credit: owed, interest, principal } of shares) {
          expect(interest <= owed.unpaidInterest && principal <= owed.outstanding).toBe(true);
          if (principal > 0n) expect(interest).toBe(owed.unpaidInterest);
        }
        const owed = sumAmounts(credits.map(({ unpaidInterest, outstanding }) => unpaidInterest + outstanding));
        expect(rest).toBe(amount > owed ? amount - owed : 0n);
      }),
    );
  });
});
