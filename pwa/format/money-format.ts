import { DEFAULT_LANGUAGE, type Language, languages } from "../../src/language/languages.ts";
import { formatExactMoney, moneyFormat, signedDigits } from "../../src/money-format.ts";

/** A language's notation of amounts, for display and input. */
interface Notation {
  readonly locale: string;
  readonly group: string;
  readonly decimal: string;
}

/** As the elements for shops write amounts: `$ 25.000` in Spanish, `COP 25,000` in English. */
function notationOf(language: Language): Notation {
  const locale = languages[language];
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8);
  const mark = (wanted: "group" | "decimal"): string => parts.find(({ type }) => type === wanted)?.value ?? "";
  return { locale, group: mark("group"), decimal: mark("decimal") };
}

let notation = notationOf(DEFAULT_LANGUAGE);

/** Sets the language in whose notation all amounts are written and parsed; called when the app starts. */
export function useNotationOf(language: Language): void {
  notation = notationOf(language);
}

/** Returns the decimal mark of amounts in the app's language: a comma in Spanish, a point in English. */
export function decimalMark(): string {
  return notation.decimal;
}

/** The largest amount that can be typed: one digit more than any balance has. */
const MAX_WHOLE_DIGITS = 13;

/**
 * An amount split for display into minus sign (`sign`), currency symbol and digits, so that the symbol can be smaller.
 */
export interface MoneyParts {
  readonly sign: string;
  readonly symbol: string;
  readonly digits: string;
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const { locale } = notation;
  const key = `${locale} ${currency}`;
  const format = formats.get(key) ?? moneyFormat(currency, locale);
  formats.set(key, format);
  return format;
}

/** Splits an amount in currency units; decimals are shown only where there are any. */
export function moneyParts(amount: number | string, currency: string): MoneyParts {
  const { sign, digits } = signedDigits(amount);
  const parts = formatOf(currency).formatToParts(digits);
  const pick = (...types: readonly string[]): string =>
    parts
      .filter(({ type }) => types.includes(type))
      .map(({ value }) => value)
      .join("");
  return { sign, symbol: pick("currency"), digits: pick("integer", "group", "decimal", "fraction") };
}

/** Writes an amount in currency units on one unbreakable line: `$ 25.000`, `$ 1.200,50`, `COP 25,000`. */
export function formatMoney(amount: number | string, currency: string): string {
  return formatExactMoney(amount, formatOf(currency));
}

/** The text that one edit inserted: the part of the new text that the old text does not have. */
function insertedInto(before: string, text: string): string {
  let start = 0;
  while (start < before.length && before[start] === text[start]) start += 1;
  let end = 0;
  while (end < Math.min(before.length, text.length) - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
  return text.slice(start, text.length - end);
}

/** True if a text is a complete or partial amount in the language's notation: thousands grouped or not at all. */
function isWritten(text: string): boolean {
  const { group, decimal } = notation;
  return new RegExp(`^(?:\\d{1,3}(?:[${group}]\\d{3})+|\\d*)(?:[${decimal}]\\d{0,2})?$`).test(text);
}

/**
 * Groups the digits of a typed text: in Spanish `25000` becomes `25.000`, `1200,5` becomes `1.200,5`. An edit that
 * inserts a digit or a decimal mark, or deletes a character, regroups the text. Any other text, such as a pasted one,
 * must be an amount in the language's notation; else the result is undefined, because without its separators it would
 * be another amount.
 */
export function groupTypedAmount(text: string, before = ""): string | undefined {
  const { group, decimal } = notation;
  const bare = text.replace(/[\s$]/g, "");
  const inserted = insertedInto(before, text);
  const isTyped = isWritten(before) && inserted.length <= 1 && (inserted === decimal || /^\d?$/.test(inserted));
  const plain = isTyped || isWritten(bare) ? bare.replaceAll(group, "") : bare;
  if (!isWritten(plain)) return undefined;
  const [whole = "", fraction] = plain.split(decimal);
  const digits = whole.replace(/^0+(?=\d)/, "");
  if (digits.length > MAX_WHOLE_DIGITS) return undefined;
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, group);
  return fraction === undefined ? grouped : `${grouped || "0"}${decimal}${fraction}`;
}

/** Parses a typed text as an amount in currency units; undefined if it is none, or zero. */
export function parseTypedAmount(text: string): number | undefined {
  const { group, decimal } = notation;
  const plain = groupTypedAmount(text)?.replaceAll(group, "").replace(decimal, ".").replace(/\.$/, "") ?? "";
  if (plain === "") return undefined;
  const amount = Number(plain);
  return amount > 0 ? amount : undefined;
}

/**
 * Converts a word of a search to the decimal prefix of the amounts that it finds: `1200.5` for `$1.200,5`; undefined if
 * the word is no amount.
 */
export function soughtAmount(text: string): string | undefined {
  const { group, decimal } = notation;
  const bare = text.replace(/^\$/, "");
  const plain = bare.replaceAll(group, "").replace(decimal, ".").replace(/\.$/, "");
  return /^\d/.test(bare) && /^\d+(?:\.\d+)?$/.test(plain) ? plain : undefined;
}
