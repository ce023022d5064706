import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { roundHalfEven } from "./round-half-even.ts";

describe("rounding half to even", () => {
  test.each([
    [0n, 2n, 0n],
    [1n, 2n, 0n],
    [3n, 2n, 2n],
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [-1n, 2n, 0n],
    [-3n, 2n, -2n],
    [-5n, 2n, -2n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [-1n, 3n, 0n],
    [-2n, 3n, -1n],
    [1_824_999n, 3_650_000n, 0n],
    [1_825_000n, 3_650_000n, 0n],
    [1_825_001n, 3_650_000n, 1n],
    [5_475_000n, 3_650_000n, 2n],
  ])("%s / %s is %s", (numerator, denominator, rounded) => {
    expect(roundHalfEven(numerator, denominator)).toBe(rounded);
  });

  test("is at most a half away, and even when it is exactly a half away", () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 24n), 10n ** 24n), fc.bigInt(1n, 10n ** 8n), (numerator, denominator) => {
        const rounded = roundHalfEven(numerator, denominator);
        const offset = 2n * (numerator - rounded * denominator);
        expect(offset <= denominator && offset >= -denominator).toBe(true);
        if (offset === denominator || offset === -denominator) expect(rounded % 2n).toBe(0n);
      }),
    );
  });

  test("refuses a denominator that is not positive", () => {
    expect(() => roundHalfEven(1n, 0n)).toThrow(RangeError);
    expect(() => roundHalfEven(1n, -3n)).toThrow(RangeError);
  });
});
