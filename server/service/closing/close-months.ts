import { accrueDueCredits } from "../accrual/accrue-due-credits.ts";
import { accountingReport } from "../reports/accounting-report.ts";
import { ALL_PRODUCTS, type ClosedMonth, findClosedMonth, keepClosedMonth } from "../reports/closed-months.ts";
import { firstDayOf, lastDayOf, monthOf, monthsBetween } from "../reports/months.ts";
import { readAccounting, readLoanProducts } from "../reports/read-accounting.ts";
import { readSnapshot } from "../reports/read-snapshot.ts";
import { daysPeriod } from "../reports/report-period.ts";
import { trialBalanceCsv } from "../reports/trial-balance-csv.ts";
import type { ClosingContext } from "./closing-context.ts";

/** Computes all reports of a month that nothing is booked in any more: of all loan products, and of each. */
async function computeMonth(
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

/** How far an entity's months are closed. */
interface Standing {
  readonly firstMonth: string;
  readonly closedThrough: string | null;
  /** Months whose reports are kept. */
  readonly kept: readonly string[];
}

async function readStanding({ sql, time }: ClosingContext, entityId: string): Promise<Standing> {
  const [row] = await sql<{ createdAt: Date; closedThrough: string | null; firstDay: string | null; kept: string[] }[]>`
    select created_at as "createdAt", closed_through::text as "closedThrough",
      (select least((select min(day) from service.ledger_days where entity_id = e.id),
        (select min(day) from service.transaction_days where entity_id = e.id)))::text as "firstDay",
      (select coalesce(array_agg(month::text), '{}') from service.closed_months where entity_id = e.id) as kept
    from service.entities e where id = ${entityId}`;
  if (row === undefined) throw new Error(`there is no entity ${entityId}`);
  const made = time.dayOf(row.createdAt);
  const first = row.firstDay !== null && row.firstDay < made ? row.firstDay : made;
  return { firstMonth: monthOf(first), closedThrough: row.closedThrough, kept: row.kept.map(monthOf) };
}

/** Returns the first month of an entity's books: that of its creation, or of an earlier booking. */
export async function firstMonthOf(context: ClosingContext, entityId: string): Promise<string> {
  return (await readStanding(context, entityId)).firstMonth;
}

/**
 * Stops bookings in the month: commits under way hold the entity's row in share mode and are waited for; later ones see
 * how far the books are closed and book on the first day after.
 */
async function lockMonth({ sql }: ClosingContext, entityId: string, lastDay: string): Promise<void> {
  await sql`
    update service.entities set closed_through = ${lastDay}
    where id = ${entityId} and (closed_through is null or closed_through < ${lastDay})`;
}

/**
 * Closes an entity's months up to and including one that is over, in order (interface: Closing a month): accrue every
 * day, let nothing more be booked, compute and keep the reports. Steps done already, by this or another process, are
 * not repeated, and a closing that a process left half done is finished. Returns the last of these months as closed.
 */
export async function closeMonths(context: ClosingContext, entityId: string, through: string): Promise<ClosedMonth> {
  const { firstMonth, closedThrough, kept } = await readStanding(context, entityId);
  for (const month of monthsBetween(firstMonth, through)) {
    if (kept.includes(month)) continue;
    const lastDay = lastDayOf(month);
    if (closedThrough === null || closedThrough < lastDay) {
      const { sql, ledger } = context;
      await context.clockWatch.requireSure();
      await accrueDueCredits({ sql, ledger, entityId, through: lastDay });
      await lockMonth(context, entityId, lastDay);
    }
    await keepClosedMonth(context.sql, entityId, await computeMonth(context, entityId, month));
  }
  const closed = await findClosedMonth(context.sql, entityId, through);
  if (closed === undefined) throw new Error(`${through} is before the first month of entity ${entityId}`);
  return closed;
}

/** Returns the latest month that is over in the business time zone, `YYYY-MM`. */
export function lastMonthOver({ time, clock }: Pick<ClosingContext, "time" | "clock">): string {
  return monthOf(time.addDays(firstDayOf(monthOf(time.dayOf(clock()))), -1));
}
