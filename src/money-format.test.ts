import { expect, test } from "vitest";
import { formatMoney } from "./money-format.ts";

test.each([
  [25_000, "COP", "es-CO", "$\u00a025.000"],
  [1234.5, "COP", "es-CO", "$\u00a01.234,50"],
  [0.05, "COP", "es-CO", "$\u00a00,05"],
  [9_999_999_999.99, "COP", "es-CO", "$\u00a09.999.999.999,99"],
  [25_000, "COP", "en", "COP\u00a025,000"],
  [25_000, "COP", "pt-BR", "COP\u00a025.000"],
  [25_000, "EUR", "es-ES", "25.000\u00a0€"],
])("%d %s in %s is %s", (amount, currency, locale, text) => {
  expect(formatMoney(amount, currency, locale)).toBe(text);
});
