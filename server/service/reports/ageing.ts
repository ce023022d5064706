import { type Bucket, buckets } from "../../ledger/decide/days-past-due.ts";
import { bucketOfDueDate, daysLate } from "./bucket-of-due-date.ts";
import { assertTied } from "./report-frame.ts";

/**
 * The number and outstanding principal of credits of one loan type and one due date, as they stood at the end of a day.
 */
export interface DueDebts {
  readonly loanType: string;
  readonly dueDate: string | null;
  readonly credits: bigint;
  readonly outstanding: bigint;
}

/** The number and outstanding principal of the credits in one range of days past due. */
export interface AgeingLine {
  readonly bucket: Bucket;
  readonly credits: bigint;
  readonly outstanding: bigint;
}

/** The outstanding principal of credits that are more than 0, 30, 60 and 90 days late, in minor units. */
type PortfolioAtRisk = Readonly<Record<"par1" | "par30" | "par60" | "par90", bigint>>;

function sumOutstanding(debts: readonly { readonly outstanding: bigint }[]): bigint {
  return debts.reduce((sum, { outstanding }) => sum + outstanding, 0n);
}

/** Groups outstanding principal by days past due at the end of a day; every range is present, in order. */
export function ageingOf(debts: readonly DueDebts[], day: string): AgeingLine[] {
  return buckets.map((bucket) => {
    const own = debts.filter(({ dueDate }) => bucketOfDueDate(dueDate, day) === bucket);
    return {
      bucket,
      credits: own.reduce((sum, { credits }) => sum + credits, 0n),
      outstanding: sumOutstanding(own),
    };
  });
}

/**
 * Computes the outstanding principal that is late by several thresholds; throws where it does not tie with the ageing.
 */
export function portfolioAtRisk(debts: readonly DueDebts[], day: string): PortfolioAtRisk {
  const lateBy = (most: number): bigint => sumOutstanding(debts.filter(({ dueDate }) => daysLate(dueDate, day) > most));
  const ageing = ageingOf(debts, day);
  const from = (bucket: Bucket): bigint => sumOutstanding(ageing.slice(buckets.indexOf(bucket)));
  const par = { par1: lateBy(0), par30: lateBy(30), par60: lateBy(60), par90: lateBy(90) };
  assertTied("principal at least 1 day late", par.par1, from("1-30"));
  assertTied("principal more than 30 days late", par.par30, from("31-60"));
  assertTied("principal more than 60 days late", par.par60, from("61-90"));
  assertTied("principal more than 90 days late", par.par90, from("91-180"));
  return par;
}
