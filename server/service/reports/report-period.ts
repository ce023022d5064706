import { addDays, daysBetween } from "../../../src/calendar-day.ts";
import { ApiError, type Fault } from "../../../src/contract/shared/errors.ts";
import { type PeriodQuery, periodInstants } from "../shared/period-instants.ts";
import { refuseFaults, type ServiceContext } from "../shared/service-context.ts";

/** The business days that a report counts. */
export interface ReportPeriod {
  readonly firstDay: string;
  readonly lastDay: string;
  /** When the first day begins, and when the last one ends; today ends now. */
  readonly from: Date;
  readonly to: Date;
}

const MOST_DAYS = 400;

/** Builds the period of whole business days; one that reaches today ends now. */
export function daysPeriod(
  { time, clock }: Pick<ServiceContext, "time" | "clock">,
  firstDay: string,
  lastDay: string,
): ReportPeriod {
  const now = clock();
  const end = time.startOf(addDays(lastDay, 1));
  return { firstDay, lastDay, from: time.startOf(firstDay), to: end < now ? end : now };
}

/**
 * Reads the period of a report from its query: without dates, from the first of the month until now. Throws
 * `invalid_request` for one that begins in the future or holds no day.
 */
export function readReportPeriod(service: Pick<ServiceContext, "time" | "clock">, query: PeriodQuery): ReportPeriod {
  const { time, clock } = service;
  const now = clock();
  const today = time.dayOf(now);
  const { from, to } = periodInstants(time, query);
  // A period that reaches into the future ends now; the last instant of a half-open period is the one before its end.
  const lastDay = to === null || to > now ? today : time.dayOf(new Date(to.getTime() - 1));
  const firstDay = from === null ? `${lastDay.slice(0, 7)}-01` : time.dayOf(from);
  const faults: Fault[] = [];
  if (from !== null && from > now) faults.push({ parameter: "from-date", detail: "must not be in the future" });
  else if (from !== null && to !== null && from >= to) {
    faults.push({ parameter: "from-date", detail: "must be before to-date" });
  }
  refuseFaults(faults);
  return daysPeriod(service, firstDay, lastDay);
}

/** How many days a period has. */
export function dayCount({ firstDay, lastDay }: ReportPeriod): number {
  return daysBetween(firstDay, lastDay) + 1;
}

/** Every day of a period, in order. */
export function daysOf(period: ReportPeriod): string[] {
  return Array.from({ length: dayCount(period) }, (_, offset) => addDays(period.firstDay, offset));
}

/** Throws `period_too_long` for more than 400 days: a report reads every day that it covers. */
export function refuseLongPeriod(period: ReportPeriod): void {
  if (dayCount(period) <= MOST_DAYS) return;
  throw new ApiError("period_too_long", { detail: `Ask for at most ${MOST_DAYS} days at a time.` });
}
