import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  amountToNumber,
  formatAmount,
  MAX_AMOUNT_MINOR,
  MoneyError,
  numberToAmountText,
  parseAmount,
  parsePositiveAmount,
  sumAmounts,
  sumText,
  sumToNumber,
} from "./money.ts";

const minor = fc.bigInt({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR });
const digits = fc.integer({ min: 0, max: 4 });

describe("money", () => {
  test("what is written is read back as it was", () => {
    fc.assert(
      fc.property(minor, digits, (amount, places) => parseAmount(formatAmount(amount, places), places) === amount),
    );
  });

  test("what goes out as a JSON number and comes back is the same to the last minor unit", () => {
    fc.assert(
      fc.property(minor, (amount) => {
        const wire: unknown = JSON.parse(JSON.stringify({ amount: amountToNumber(amount, 2) }).slice(10, -1));
        return parseAmount(numberToAmountText(wire as number), 2) === amount;
      }),
    );
  });

  test("a sum goes out as an amount does, and past what a number carries exactly with every digit", () => {
    fc.assert(fc.property(minor, digits, (sum, places) => sumToNumber(sum, places) === amountToNumber(sum, places)));
    const written = (sum: bigint): string => JSON.stringify({ sum: sumToNumber(sum, 2) });
    expect(written(123_456_789_012_345_678n)).toBe('{"sum":1234567890123456.78}');
    expect(written(-9_007_199_254_740_993n)).toBe('{"sum":-90071992547409.93}');
    fc.assert(fc.property(fc.bigInt(), (sum) => written(sum) === `{"sum":${formatAmount(sum, 2)}}`));
    expect(() => amountToNumber(MAX_AMOUNT_MINOR + 1n, 2)).toThrow(MoneyError);
  });

  test("amounts of the wire are added up with every digit", () => {
    expect([sumText([]), sumText([0.1, 0.2]), sumText([5, -7.5])]).toEqual(["0", "0.3", "-2.5"]);
    const many = Array.from({ length: 10 }, () => amountToNumber(MAX_AMOUNT_MINOR, 2));
    expect(sumText(many)).toBe("99999999999999.9");
    expect(sumText([...many, 0.03, ...many, 7])).toBe("200000000000006.83");
  });

  test("any text is read into the amount that it says, or refused with a sentence", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^-?\d{0,20}\.?\d{0,20}$/)), (text) => {
        try {
          const amount = parseAmount(text, 2);
          const [whole = "", fraction = ""] = text.replace("-", "").split(".");
          const spelled = BigInt(whole + fraction.slice(0, 2).padEnd(2, "0"));
          return (text.startsWith("-") ? -spelled : spelled) === amount;
        } catch (error) {
          return error instanceof MoneyError && /^(?:must|is) /.test(error.message);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("sums are exact where floating point is not", () => {
    expect(0.1 + 0.2).not.toBe(0.3);
    expect(formatAmount(sumAmounts([parseAmount("0.1", 2), parseAmount("0.2", 2)]), 2)).toBe("0.3");
  });

  test.each([
    ["25000", 2_500_000n],
    ["25000.00", 2_500_000n],
    ["0.5", 50n],
    ["007", 700n],
    ["9999999999999.99", MAX_AMOUNT_MINOR],
    ["25000.5", 2_500_050n],
  ])("%s is %s minor units", (text, amount) => {
    expect(parseAmount(text, 2)).toBe(amount);
  });

  test("a text with more decimals than the currency has is refused, zeros too, and told how to write it", () => {
    const told = /^must have at most \d decimals, and nothing between thousands: 5000, not 5\.000$/;
    for (const [text, digits] of [
      ["5.000", 2],
      ["25.000", 2],
      ["5.0", 0],
      ["1.0000", 3],
    ] as const) {
      expect(() => parseAmount(text, digits)).toThrow(told);
    }
    expect([parseAmount("5.00", 2), parseAmount("5.000", 3), parseAmount("5", 0)]).toEqual([500n, 5_000n, 5n]);
  });

  test.each([
    "",
    " ",
    "1e3",
    "1,5",
    "+5",
    ".5",
    "5.",
    "0x10",
    "NaN",
    "Infinity",
    "1.005",
    "5.000",
    "25.000",
    "0.100",
    "٣",
    "1_000",
  ])("%j is refused", (text) => {
    expect(() => parseAmount(text, 2)).toThrow(MoneyError);
  });

  test("sixteen significant digits and sums beyond the limit are refused", () => {
    expect(() => parseAmount("99999999999999.99", 2)).toThrow(/15 significant digits/);
    expect(() => parseAmount("100000000000000", 2)).toThrow(/at most 9999999999999.99/);
  });

  test.each(["0", "0.00", "-1", "-0"])("%s moves no money", (text) => {
    expect(() => parsePositiveAmount(text, 2)).toThrow("must be greater than zero");
  });

  test("a currency without decimals refuses them", () => {
    expect(parseAmount("1200", 0)).toBe(1200n);
    expect(() => parseAmount("1200.5", 0)).toThrow("must have at most 0 decimals");
  });

  test.each([[], [undefined], [Number.NaN], [-1], [1.5], ["2"]])(
    "digits %j are a mistake, never an amount",
    (...given) => {
      const untyped = { formatAmount, parseAmount } as Record<string, (...given: unknown[]) => unknown>;
      expect(() => untyped.formatAmount?.(1_250_000n, ...given)).toThrow("digits must say how many decimals");
      expect(() => untyped.parseAmount?.("12500", ...given)).toThrow("digits must say how many decimals");
    },
  );
});
