import { accountingReport } from "../reports/accounting-report.ts";
import { ALL_PRODUCTS, type ClosedMonth } from "../reports/closed-months.ts";
import { firstDayOf, lastDayOf } from "../reports/months.ts";
import { readAccounting, readLoanProducts } from "../reports/read-accounting.ts";
import { readSnapshot } from "../reports/read-snapshot.ts";
import { daysPeriod } from "../reports/report-period.ts";
import { trialBalanceCsv } from "../reports/trial-balance-csv.ts";
import type { ClosingContext } from "./closing-context.ts";

/** Computes all reports of a month that nothing is booked in any more: of all loan products, and of each. */
export async function computeMonth(
  { sql, clock, time, currency }: ClosingContext,
  entityId: string,
  month: string,
): Promise<Omit<ClosedMonth, "sha256">> {
  const period = daysPeriod({ clock, time }, firstDayOf(month), lastDayOf(month));
  return readSnapshot(sql, clock, async (tx, asOf) => {
    const [figures, products] = await Promise.all([
      readAccounting(tx, entityId, period),
      readLoanProducts(tx, entityId),
    ]);
    const reportOf = (loanProduct: string | null) =>
      accountingReport({ entityId, month, loanProduct, isClosed: true }, figures, { currency, asOf, period });
    const whole = reportOf(null);
    if (whole.trial_balance === null) throw new Error("the report of all products has a trial balance");
    const texts = products.map((product) => [product, JSON.stringify(reportOf(product))] as const);
    return {
      month,
      closedAt: asOf,
      trialBalanceCsv: trialBalanceCsv(whole.trial_balance),
      reports: new Map([[ALL_PRODUCTS, JSON.stringify(whole)], ...texts]),
    };
  });
}
