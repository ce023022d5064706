import { addDays } from "../../../src/calendar-day.ts";

/** The month of a day, `YYYY-MM`. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** The first day of a month. */
export function firstDayOf(month: string): string {
  return `${month}-01`;
}

/** The month after another. */
export function nextMonth(month: string): string {
  return monthOf(addDays(firstDayOf(month), 31));
}

/** The last day of a month. */
export function lastDayOf(month: string): string {
  return addDays(firstDayOf(nextMonth(month)), -1);
}

/** The months from one through another, in order; none when the first is the later. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month <= last; month = nextMonth(month)) months.push(month);
  return months;
}
