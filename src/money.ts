import { exactNumber } from "./exact-json.ts";

/** Largest balance or amount that is kept, in minor units; 15 digits survive every JSON number (interface: Money). */
export const MAX_AMOUNT_MINOR = 10n ** 15n - 1n;

const MAX_SIGNIFICANT_DIGITS = 15;
/** Far more than any amount needs, and too short for a text of zeros to keep the regular expressions below busy. */
const MAX_TEXT_LENGTH = 100;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Says why a text is not an amount of money; the message is fit for the person who sent it. */
export class MoneyError extends Error {
  override readonly name = "MoneyError";
}

/** A caller without types may leave the digits out: the result would silently be another amount. */
function checkDigits(digits: number): void {
  if (!Number.isInteger(digits) || digits < 0) {
    throw new TypeError("digits must say how many decimals the currency has, such as 2 for COP and 0 for CLP");
  }
}

/**
 * Reads a plain decimal such as `25000`, `0.5` or `1200.00` into minor units, without floating-point arithmetic.
 * `digits` is how many decimals the currency has (ISO 4217): 2 for COP.
 * Throws {@link MoneyError} for exponents, more decimals than the currency has, be they zeros, more than 15 significant
 * digits or too large a sum.
 */
export function parseAmount(text: string, digits: number): bigint {
  checkDigits(digits);
  if (text.length > MAX_TEXT_LENGTH) throw new MoneyError("is too long to be an amount");
  const match = DECIMAL.exec(text);
  if (match === null) throw new MoneyError("must be a plain decimal number such as 25000 or 1200.50");
  const [, sign = "", whole = "", fraction = ""] = match;
  // Zeros too: in most of the world `5.000` is five thousand, and must not be read as five.
  if (fraction.length > digits) {
    throw new MoneyError(`must have at most ${digits} decimals, and nothing between thousands: 5000, not 5.000`);
  }
  const significant = (whole + fraction).replace(/^0+/, "").replace(/0+$/, "");
  if (significant.length > MAX_SIGNIFICANT_DIGITS) throw new MoneyError("must have at most 15 significant digits");
  const minor = BigInt(whole + fraction.padEnd(digits, "0"));
  if (minor > MAX_AMOUNT_MINOR) throw new MoneyError(`must be at most ${formatAmount(MAX_AMOUNT_MINOR, digits)}`);
  return sign === "-" ? -minor : minor;
}

/** Reads an amount that moves money: as {@link parseAmount}, and greater than zero. */
export function parsePositiveAmount(text: string, digits: number): bigint {
  const minor = parseAmount(text, digits);
  if (minor <= 0n) throw new MoneyError("must be greater than zero");
  return minor;
}

/** Reads an amount that is still owed: as {@link parseAmount}, and not below zero. */
export function parseOwedAmount(text: string, digits: number): bigint {
  const minor = parseAmount(text, digits);
  if (minor < 0n) throw new MoneyError("must be zero or more");
  return minor;
}

/** Writes minor units as the shortest exact decimal: 2500000n with the 2 digits of COP is `25000`, 50n is `0.5`. */
export function formatAmount(minor: bigint, digits: number): string {
  checkDigits(digits);
  const sign = minor < 0n ? "-" : "";
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits).replace(/0+$/, "");
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Minor units as the JSON number of the wire: exact, because 15 significant digits fit a double. */
export function amountToNumber(minor: bigint, digits: number): number {
  if (minor > MAX_AMOUNT_MINOR || minor < -MAX_AMOUNT_MINOR) {
    throw new MoneyError("is beyond what a JSON number carries exactly");
  }
  return Number(formatAmount(minor, digits));
}

/**
 * A sum of minor units as the JSON number of the wire. No single amount or balance is past the largest that a number
 * carries exactly, but many of them together, or interest on a debt as large, may be: every digit is written even so
 * (see {@link exactNumber}).
 */
export function sumToNumber(minor: bigint, digits: number): number {
  return exactNumber(formatAmount(minor, digits));
}

/** Most decimals that are written of a number too small for plain notation; no currency has as many. */
const MOST_WRITTEN_DECIMALS = 30;

/** The decimal text of a JSON number of the wire, never with an exponent: what {@link parseAmount} reads. */
export function numberToAmountText(value: number): string {
  if (Object.is(value, -0)) return "0";
  const text = String(value);
  if (!Number.isFinite(value) || !text.includes("e")) return text;
  if (Number.isInteger(value)) return BigInt(value).toString();
  return value.toFixed(MOST_WRITTEN_DECIMALS);
}

/** Decimals that are counted where the currency is not known; none that a deployment may use has more. */
const MOST_DECIMALS = 2;

/** The sum of amounts of the wire as decimal text, with every digit however large it is. */
export function sumText(amounts: Iterable<number>): string {
  let total = 0n;
  for (const amount of amounts) {
    const [whole = "", fraction = ""] = numberToAmountText(amount).split(".");
    total += BigInt(whole + fraction.padEnd(MOST_DECIMALS, "0").slice(0, MOST_DECIMALS));
  }
  return formatAmount(total, MOST_DECIMALS);
}

/** The sum of amounts in minor units. */
export function sumAmounts(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}
