/** Writes an amount in currency units in the notation of a locale, such as `$ 25.000`. */
export function formatMoney(amount: number, currency: string, locale: string): string {
  return moneyFormat(currency, locale).format(amount);
}

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
