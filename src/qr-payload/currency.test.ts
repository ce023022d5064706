import { expect, test } from "vitest";
import { currencyDigits, qrCurrency } from "./currency.ts";

test("the currencies have the decimals of ISO 4217", () => {
  expect(qrCurrency("COP")).toEqual({ numeric: "170", digits: 2 });
  expect(qrCurrency("CLP")).toEqual({ numeric: "152", digits: 0 });
  expect(qrCurrency("cop")).toBeUndefined();
  expect(currencyDigits("000")).toBeUndefined();
});
