import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meanOf, rateOf, sharesOf } from "./rates.ts";

describe("rateOf", () => {
  it.each([
    [1n, 2n, 5_000],
    [1n, 3n, 3_333],
    [2n, 3n, 6_667],
    [1n, 20_000n, 0],
    [3n, 20_000n, 2],
    [3n, 2n, 15_000],
    [0n, 7n, 0],
    [-1n, 4n, -2_500],
  ])("is %s of %s as %s basis points, halves to even", (part, whole, rate) => {
    expect(rateOf(part, whole)).toBe(rate);
  });

  it("is null without a denominator", () => {
    expect([rateOf(0n, 0n), rateOf(5n, 0n), meanOf(0n, 0n)]).toEqual([null, null, null]);
  });
});

describe("sharesOf", () => {
  it.each([
    [
      [1n, 1n, 1n],
      [3_334, 3_333, 3_333],
    ],
    [
      [1n, 2n, 0n],
      [3_333, 6_667, 0],
    ],
    [[7n], [10_000]],
    [[], []],
    [
      [0n, 0n],
      [null, null],
    ],
  ])("are by largest remainder, case %#", (parts, shares) => {
    expect(sharesOf(parts)).toEqual(shares);
  });

  it("sum to the whole, and none is a basis point off", () => {
    const parts = fc.array(fc.bigInt(0n, 10n ** 18n), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(parts, (amounts) => {
        const whole = amounts.reduce((sum, amount) => sum + amount, 0n);
        fc.pre(whole > 0n);
        const shares = sharesOf(amounts);
        expect(shares.reduce<number>((sum, share) => sum + (share ?? 0), 0)).toBe(10_000);
        for (const [index, share] of shares.entries()) {
          const exact = (amounts[index] ?? 0n) * 10_000n;
          const told = BigInt(share ?? -1) * whole;
          expect(told - exact < whole && exact - told < whole).toBe(true);
        }
      }),
    );
  });
});
