/** An amount as people read it, and its two parts for setting the currency smaller. */
export interface MoneyText {
  /** Such as `$ 25.000`; for sentences and names. */
  readonly whole: string;
  readonly currency: string;
  readonly number: string;
  readonly currencyFirst: boolean;
}

/** Writes an amount in currency units by the customs of a locale, without decimals when they are zero. */
export function formatMoney(amount: number, currency: string, locale: string): MoneyText {
  const parts = formatterOf(currency, locale, Number.isInteger(amount)).formatToParts(amount);
  const currencyIndex = parts.findIndex((part) => part.type === "currency");
  const number = parts.filter((part) => part.type !== "currency" && part.type !== "literal");
  return {
    whole: parts.map((part) => part.value).join(""),
    currency: parts[currencyIndex]?.value ?? currency,
    number: number.map((part) => part.value).join(""),
    currencyFirst: currencyIndex < parts.findIndex((part) => part.type === "integer"),
  };
}

function formatterOf(currency: string, locale: string, isWhole: boolean): Intl.NumberFormat {
  const decimals = isWhole ? { minimumFractionDigits: 0 } : { minimumFractionDigits: 2 };
  return new Intl.NumberFormat(locale, { style: "currency", currency, ...decimals, maximumFractionDigits: 2 });
}
