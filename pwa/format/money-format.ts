/** Colombia's way to write money, in every language of the app: `$ 25.000`. */
const LOCALE = "es-CO";

/** The largest amount that can be typed: one digit more than any balance has. */
const MAX_WHOLE_DIGITS = 13;

/** An amount split for display, so that the currency's sign can be smaller than the digits beside it. */
export interface MoneyParts {
  readonly sign: string;
  readonly symbol: string;
  readonly digits: string;
}

const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(currency: string, whole: boolean): Intl.NumberFormat {
  const key = `${currency} ${whole}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(LOCALE, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: 2,
  });
  formatters.set(key, made);
  return made;
}

/** Splits an amount in currency units; decimals are shown only where there are any. */
export function moneyParts(amount: number, currency: string): MoneyParts {
  const parts = formatterOf(currency, Number.isInteger(amount)).formatToParts(Math.abs(amount));
  const pick = (wanted: (type: string) => boolean): string =>
    parts
      .filter(({ type }) => wanted(type))
      .map(({ value }) => value)
      .join("");
  return {
    sign: amount < 0 ? "−" : "",
    symbol: pick((type) => type === "currency"),
    digits: pick((type) => type === "integer" || type === "group" || type === "decimal" || type === "fraction"),
  };
}

/** Writes an amount in currency units on one unbreakable line: `$ 25.000`, `$ 1.200,50`. */
export function formatMoney(amount: number, currency: string): string {
  const { sign, symbol, digits } = moneyParts(amount, currency);
  return `${sign}${symbol}\u00a0${digits}`;
}

/**
 * Groups what a person has typed so far, es-CO: `25000` becomes `25.000`, `1200,5` stays `1.200,5`. A point that
 * groups nothing is left out; everything that is no digit or comma is ignored.
 */
export function groupTypedAmount(text: string): string {
  const [whole = "", ...rest] = text.replace(/[^\d,]/g, "").split(",");
  const digits = whole.replace(/^0+(?=\d)/, "").slice(0, MAX_WHOLE_DIGITS);
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, ".");
  if (rest.length === 0) return grouped;
  return `${grouped || "0"},${rest.join("").slice(0, 2)}`;
}

/** The amount in currency units that a typed text means; undefined while it is none, or zero. */
export function parseTypedAmount(text: string): number | undefined {
  const plain = groupTypedAmount(text).replaceAll(".", "").replace(",", ".").replace(/\.$/, "");
  if (plain === "") return undefined;
  const amount = Number(plain);
  return amount > 0 ? amount : undefined;
}
