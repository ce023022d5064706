import type { BusinessTime } from "../../src/business-time.ts";
import { ApiError, type Fault } from "../../src/contract/errors.ts";
import { refuseFaults } from "./service-context.ts";

const MOST_DAYS = 400;
const DAY_LENGTH = "2026-03-31".length;

/** The parameters that say a period. */
export interface PeriodQuery {
  readonly "from-date"?: string | undefined;
  readonly "to-date"?: string | undefined;
}

/** From one instant on, to another that is no part of it. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** A period that may be open at either end. */
export type OpenPeriod = { readonly [Name in keyof Period]: Date | null };

function endOf(time: BusinessTime, text: string): Date {
  return text.length === DAY_LENGTH ? time.startOf(time.addDays(text, 1)) : time.parse(text);
}

/** The same time of day some days later, also where a day is an hour longer or shorter. */
function daysAfter(time: BusinessTime, from: Date, days: number): Date {
  const day = time.dayOf(from);
  return new Date(time.startOf(time.addDays(day, days)).getTime() + from.getTime() - time.startOf(day).getTime());
}

function refuseBackward({ from, to }: OpenPeriod): void {
  const faults: Fault[] = [{ parameter: "to-date", detail: "must not be before from-date" }];
  if (from !== null && to !== null && to < from) refuseFaults(faults);
}

/**
 * The period of a list: a bare day is its start in `from-date` and its end in `to-date`, date-times are half-open. A
 * list goes page by page, so an absent end is open and no period is too long.
 */
export function readOpenPeriod(time: BusinessTime, query: PeriodQuery): OpenPeriod {
  const { "from-date": from, "to-date": to } = query;
  const period = { from: from === undefined ? null : time.parse(from), to: to === undefined ? null : endOf(time, to) };
  refuseBackward(period);
  return period;
}

/**
 * The period of a report, read like that of a list: from the first of this month until now where it is not said, and
 * at most 400 days (`period_too_long`).
 */
export function readPeriod(time: BusinessTime, query: PeriodQuery, now: Date): Period {
  const { from, to } = readOpenPeriod(time, query);
  const period = { from: from ?? time.startOf(`${time.dayOf(now).slice(0, 8)}01`), to: to ?? now };
  refuseBackward(period);
  if (period.to <= daysAfter(time, period.from, MOST_DAYS)) return period;
  throw new ApiError("period_too_long", { detail: `Ask for at most ${MOST_DAYS} days at a time.` });
}
