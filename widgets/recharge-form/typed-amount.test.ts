import { expect, test } from "vitest";
import { mostOf, typedAmount } from "./typed-amount.ts";

test.each([
  ["20000", "es-CO", 20_000],
  ["20.000", "es-CO", 20_000],
  ["$ 1.234.567,50", "es-CO", 1_234_567.5],
  ["1234,5", "es-CO", 1234.5],
  ["25.00", "es-CO", undefined],
  ["25,000", "es-CO", undefined],
  ["1.2345", "es-CO", undefined],
  ["1234.567", "es-CO", undefined],
  ["25,000", "en", 25_000],
  ["25.50", "en", 25.5],
  ["25.000", "en", undefined],
  ["1.234,50", "pt-BR", 1234.5],
  ["1 234,50", "pt-PT", 1234.5],
  ["", "es-CO", undefined],
  ["-5", "es-CO", undefined],
  ["1e5", "es-CO", undefined],
  ["diez mil", "es-CO", undefined],
  ["1234567890123", "es-CO", undefined],
])("%j in %s is %j", (text, locale, amount) => {
  expect(typedAmount(text, locale)).toBe(amount);
});

const SESSION = {
  kind: "recharge",
  seller: "Tienda",
  currency: "COP",
  sold_today: { count: 0, amount: 0 },
  expires_at: "2026-01-01T00:15:00.000Z",
  expires_in: 900,
} as const;

test("the most that can be sold is the lower of the limits, and unlimited without any", () => {
  const limits = [{}, { max_amount: 5 }, { left_to_sell: 0 }, { max_amount: 5, left_to_sell: 3 }];
  expect(limits.map((limit) => mostOf({ ...SESSION, ...limit }))).toEqual([Number.POSITIVE_INFINITY, 5, 0, 3]);
});
