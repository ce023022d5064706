import type { StatementWords } from "../../../../src/language/tables/server.ts";
import { formatExactMoney, moneyFormat } from "../../../../src/money-format.ts";
import { formatPaymentReference, parsePaymentReference } from "../../../../src/payment-reference.ts";
import { formatExactly, formatMonth } from "../../../../src/time-format.ts";

/** Formats amounts, days and references of a statement for people, in the words of its language. */
export interface StatementFormat {
  readonly words: StatementWords;
  /** As the app writes it in the same language: `$ 25.000` in Spanish, `COP 25,000` in English. */
  money(amount: number | string): string;
  /** As {@link StatementFormat.money}, with a plus or minus sign. */
  signedMoney(amount: number | string): string;
  /** `14:05:09` in every language, for spreadsheets; in the business time zone. */
  time(instant: string): string;
  /** `31 mar`, of a calendar day. */
  day(day: string): string;
  /** `mar, 31 mar 2026, 2:05 p. m.`, in the business time zone. */
  exact(instant: string): string;
  /** `marzo de 2026`. */
  month(month: string): string;
  /** `7K3M-9QXT-2V4F-W`. */
  reference(reference: string): string;
}

/** Creates the formats of one statement, all at once: each of them is expensive to make and cheap to use. */
export function statementFormat(words: StatementWords, currency: string, timeZone: string): StatementFormat {
  const amounts = moneyFormat(currency, words.tag);
  const money = (amount: number | string): string => formatExactMoney(amount, amounts);
  // Swedish times are those of ISO 8601.
  const time = new Intl.DateTimeFormat("sv-SE", { timeStyle: "medium", timeZone });
  const day = new Intl.DateTimeFormat(words.tag, { day: "numeric", month: "short", timeZone: "UTC" });
  return {
    words,
    money,
    signedMoney: (amount) => `${Number(amount) > 0 ? "+" : ""}${money(amount)}`,
    time: (instant) => time.format(Date.parse(instant)),
    day: (text) => day.format(Date.parse(`${text}T00:00:00Z`)),
    exact: (instant) => formatExactly(instant, words.tag, timeZone),
    month: (text) => formatMonth(text, words.tag),
    reference: (text) => {
      const parsed = parsePaymentReference(text);
      return parsed.ok ? formatPaymentReference(parsed.reference) : text;
    },
  };
}
