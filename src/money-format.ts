import { numberToAmountText } from "./money.ts";

/** Stands in place of an amount that the person hides. */
export const HIDDEN_AMOUNT = "•••";

/**
 * Creates the number format in which a locale writes amounts of a currency: two decimals, or none when they are zero.
 */
export function moneyFormat(currency: string, locale: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    trailingZeroDisplay: "stripIfInteger",
  });
}

/** Writes an amount in currency units in the notation of a locale, such as `$ 25.000`. */
export function formatMoney(amount: number, currency: string, locale: string): string {
  return moneyFormat(currency, locale).format(amount);
}

/** Returns the sign of an amount in currency units, and its digits as text, of which a format rounds none. */
export function signedDigits(amount: number | string): { readonly sign: "" | "−"; readonly digits: `${number}` } {
  const decimal = typeof amount === "number" ? numberToAmountText(amount) : amount;
  return { sign: decimal.startsWith("-") ? "−" : "", digits: decimal.replace("-", "") as `${number}` };
}

/** Writes an amount in currency units with every digit, however many there are: `$ 25.000`, `−$ 1.200,50`. */
export function formatExactMoney(amount: number | string, format: Intl.NumberFormat): string {
  const { sign, digits } = signedDigits(amount);
  return sign + format.format(digits);
}
