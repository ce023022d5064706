import { formatAmount } from "../../../src/money.ts";
import type { Currency } from "../shared/service-context.ts";
import { dayCount, type ReportPeriod } from "./report-period.ts";

/** The facts that every report states of itself: its currency, the instant as of which it holds, and its period. */
export interface ReportFrame {
  readonly currency: Currency;
  readonly asOf: Date;
  readonly period: ReportPeriod;
}

/** Builds the members that all reports have: currency, `as_of` and period. */
export function frameAnswer({ currency, asOf, period }: ReportFrame) {
  return {
    currency: currency.code,
    as_of: asOf.toISOString(),
    period: { from_date: period.from.toISOString(), to_date: period.to.toISOString(), days: dayCount(period) },
  };
}

/** How a report writes amounts of minor units: decimal text in currency units. */
export interface AmountWriter {
  (minor: bigint): string;
  (minor: bigint | null): string | null;
}

/** Builds the {@link AmountWriter} of a currency. */
export function amountWriter({ digits }: Currency): AmountWriter {
  return ((minor: bigint | null) => (minor === null ? null : formatAmount(minor, digits))) as AmountWriter;
}

/** Writes each amount of an object, in minor units, under the same name. */
export function writeAmounts<Name extends string>(
  amounts: Readonly<Record<Name, bigint>>,
  write: AmountWriter,
): Record<Name, string> {
  const entries = Object.entries<bigint>(amounts).map(([name, minor]) => [name, write(minor)]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

/** Throws when two figures that must agree do not: such a report is our bug, and nobody may read it. */
export function assertTied(what: string, left: bigint, right: bigint): void {
  if (left !== right) throw new Error(`the report does not tie: ${what} is ${left} and ${right}`);
}
