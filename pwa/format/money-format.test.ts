import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatMoney, groupTypedAmount, moneyParts, parseTypedAmount } from "./money-format.ts";

describe("money on the screen", () => {
  test.each([
    [25_000, "$\u00a025.000"],
    [0, "$\u00a00"],
    [1_200.5, "$\u00a01.200,50"],
    [-900, "−$\u00a0900"],
    [9_999_999_999_999, "$\u00a09.999.999.999.999"],
  ])("%d is written %s", (amount, written) => {
    expect(formatMoney(amount, "COP")).toBe(written);
  });

  test("the currency's sign stands apart from the digits", () => {
    expect(moneyParts(475_000, "COP")).toEqual({ sign: "", symbol: "$", digits: "475.000" });
  });

  test.each([
    ["", ""],
    ["2", "2"],
    ["25000", "25.000"],
    ["25.0001", "250.001"],
    ["007", "7"],
    ["1200,5", "1.200,5"],
    [",5", "0,5"],
    ["1,234,5", "1,23"],
    ["$ 3e4", "34"],
    ["12345678901234567", "1.234.567.890.123"],
  ])("typing %j shows %j", (typed, shown) => {
    expect(groupTypedAmount(typed)).toBe(shown);
  });

  test("what is typed digit by digit is the amount that is meant", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999_999_999 }), (amount) => {
        let shown = "";
        for (const digit of String(amount)) shown = groupTypedAmount(shown + digit);
        expect(parseTypedAmount(shown)).toBe(amount);
      }),
    );
  });

  test("nothing, zero and a lone comma are no amount", () => {
    for (const typed of ["", "0", "0,00", ",", "abc"]) expect(parseTypedAmount(typed)).toBeUndefined();
  });
});
