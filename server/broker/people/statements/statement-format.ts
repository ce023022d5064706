import type { StatementWords } from "../../../../src/language/tables/server.ts";
import { numberToAmountText } from "../../../../src/money.ts";
import { formatPaymentReference, parsePaymentReference } from "../../../../src/payment-reference.ts";

/** Formats amounts, days and references of a statement for people, in the words of its language. */
export interface StatementFormat {
  readonly words: StatementWords;
  /** Colombia's way in every language, as in the app: `$ 25.000`, with decimals where there are any. */
  money(amount: number | string): string;
  /** As {@link StatementFormat.money}, with a plus or minus sign. */
  signedMoney(amount: number | string): string;
  /** `14:05:09`, in the business time zone. */
  time(instant: string): string;
  /** `31 mar`, of a calendar day. */
  day(day: string): string;
  /** `31 de marzo de 2026, 14:05`. */
  exact(instant: string): string;
  /** `marzo de 2026`. */
  month(month: string): string;
  /** `7K3M-9QXT-2V4F-W`. */
  reference(reference: string): string;
}

function moneyFormat(currency: string, digits: number): Intl.NumberFormat {
  const narrow = { style: "currency", currency, currencyDisplay: "narrowSymbol" } as const;
  return new Intl.NumberFormat("es-CO", { ...narrow, minimumFractionDigits: digits, maximumFractionDigits: 2 });
}

/** Creates the formats of one statement, all at once: each of them is expensive to make and cheap to use. */
export function statementFormat(words: StatementWords, currency: string, timeZone: string): StatementFormat {
  const [whole, broken] = [moneyFormat(currency, 0), moneyFormat(currency, 2)];
  const dates = (options: Intl.DateTimeFormatOptions, tag = words.tag): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(tag, { timeZone, ...options });
  // Swedish times are those of ISO 8601.
  const time = dates({ timeStyle: "medium" }, "sv-SE");
  const day = dates({ day: "numeric", month: "short", timeZone: "UTC" });
  const exact = dates({ dateStyle: "long", timeStyle: "short", hourCycle: "h23" });
  const month = dates({ year: "numeric", month: "long", timeZone: "UTC" });
  const money = (amount: number | string): string => {
    const decimal = typeof amount === "number" ? numberToAmountText(amount) : amount;
    // As text no digit is rounded, however many there are.
    const text = (decimal.includes(".") ? broken : whole).format(decimal.replace("-", "") as `${number}`);
    return `${decimal.startsWith("-") ? "−" : ""}${text}`;
  };
  return {
    words,
    money,
    signedMoney: (amount) => `${Number(amount) > 0 ? "+" : ""}${money(amount)}`,
    time: (instant) => time.format(Date.parse(instant)),
    day: (text) => day.format(Date.parse(`${text}T00:00:00Z`)),
    exact: (instant) => exact.format(Date.parse(instant)),
    month: (text) => month.format(Date.parse(`${text}-15T00:00:00Z`)),
    reference: (text) => {
      const parsed = parsePaymentReference(text);
      return parsed.ok ? formatPaymentReference(parsed.reference) : text;
    },
  };
}
