import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { type Language, languages } from "../../src/language/languages.ts";
import { formatMoney as elementsMoney } from "../../src/money-format.ts";
import { formatMoney, groupTypedAmount, moneyParts, parseTypedAmount, useNotationOf } from "./money-format.ts";

afterEach(() => useNotationOf("es"));

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
    ["25.000", "25.000"],
    ["007", "7"],
    ["1200,5", "1.200,5"],
    [",5", "0,5"],
    ["$ 1.234.567,50", "1.234.567,50"],
    ["25.0001", undefined],
    ["25.00", undefined],
    ["-1", undefined],
    ["1,234,5", undefined],
    ["1,234", undefined],
    ["$ 3e4", undefined],
    ["12345678901234567", undefined],
  ])("pasting %j shows %j", (pasted, shown) => {
    expect(groupTypedAmount(pasted)).toBe(shown);
  });

  test.each([
    ["25.000", "25.0001", "250.001"],
    ["25.000", "25.00", "2.500"],
    ["1.234", "1234", "1.234"],
    ["1.234", "1.234,", "1.234,"],
    ["1.234,56", "1.234,567", undefined],
    ["1", "1-", undefined],
    ["1-", "1-5", undefined],
    ["1", "-1", undefined],
  ])("%j that becomes %j shows %j", (before, text, shown) => {
    expect(groupTypedAmount(text, before)).toBe(shown);
  });

  test("what is typed digit by digit is the amount that is meant", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999_999_999 }), (amount) => {
        let shown = "";
        for (const digit of String(amount)) shown = groupTypedAmount(shown + digit, shown) ?? "";
        expect(parseTypedAmount(shown)).toBe(amount);
      }),
    );
  });

  test("nothing, zero and a lone comma are no amount", () => {
    for (const typed of ["", "0", "0,00", ",", "abc"]) expect(parseTypedAmount(typed)).toBeUndefined();
  });

  test.each(Object.entries(languages) as [Language, string][])(
    "in %s an amount is written as the elements of shops write it",
    (language, locale) => {
      useNotationOf(language);
      for (const amount of [0, 25_000, 1_200.5]) {
        expect(formatMoney(amount, "COP")).toBe(elementsMoney(amount, "COP", locale));
      }
    },
  );

  test("in English a comma groups what is typed, and a point stands before the decimals", () => {
    useNotationOf("en");
    expect(["25000", "1,200.5", ".5"].map((text) => groupTypedAmount(text))).toEqual(["25,000", "1,200.5", "0.5"]);
    expect(["1.2.34", "1,5", "25.000"].map((text) => groupTypedAmount(text))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(["25,000", "1,200.50", "."].map(parseTypedAmount)).toEqual([25_000, 1_200.5, undefined]);
  });
});

test("writes every digit of an amount that comes as text", () => {
  useNotationOf("es");
  expect(formatMoney("90071992547409.93", "COP")).toBe("$\u00a090.071.992.547.409,93");
  expect(formatMoney("-123456789012345678", "COP")).toBe("−$\u00a0123.456.789.012.345.678");
});
