import { daysBetween } from "../../../src/calendar-day.ts";
import { type Bucket, bucketOf } from "../../ledger/decide/days-past-due.ts";

/**
 * Returns how many days past its due date a debt is at the end of a day; 0 until the due date, and where there is none.
 */
export function daysLate(dueDate: string | null, day: string): number {
  return dueDate === null ? 0 : Math.max(0, daysBetween(dueDate, day));
}

/** The bucket of days past due of a debt at the end of a day. */
export function bucketOfDueDate(dueDate: string | null, day: string): Bucket {
  return bucketOf(daysLate(dueDate, day));
}
