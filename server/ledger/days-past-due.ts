import { daysBetween } from "../../src/calendar-day.ts";
import type { OwedCredit } from "./repayment.ts";

/** How late a credit is, in days, each bucket up to and including its last. */
const BUCKET_ENDS = Object.freeze({
  current: 0,
  "1-30": 30,
  "31-60": 60,
  "61-90": 90,
  "91-180": 180,
  "181-360": 360,
  "over-360": Number.POSITIVE_INFINITY,
});

/** A range of days past due. */
export type Bucket = keyof typeof BUCKET_ENDS;

/** Every bucket, from the least late to the latest. */
export const buckets = Object.freeze(Object.keys(BUCKET_ENDS) as Bucket[]);

/** How a loan type tells from the days past due what status a user should have. */
export interface StatusThresholds {
  /** Most days past due that are still `active`; one more is `arrear`. */
  readonly arrearAfter: number;
  /** Most days past due that are still `arrear`; one more is `default`. */
  readonly defaultAfter: number;
}

/** The thresholds of a loan type that names none: `active` 0, `arrear` 1 to 90, `default` over 90. */
export const DEFAULT_THRESHOLDS: StatusThresholds = Object.freeze({ arrearAfter: 0, defaultAfter: 90 });

/** A status that the days past due suggest; the one that the caller set stands beside it. */
export type SuggestedStatus = "active" | "arrear" | "default";

/**
 * How many days a credit is past due at the end of a calendar day: none while nothing is unpaid, on the due date
 * itself, or without a due date.
 */
export function daysPastDue(
  { dueDate, outstanding, unpaidInterest }: Pick<OwedCredit, "dueDate" | "outstanding" | "unpaidInterest">,
  asOfDay: string,
): number {
  if (dueDate === null || outstanding + unpaidInterest === 0n) return 0;
  return Math.max(0, daysBetween(dueDate, asOfDay));
}

/** The bucket that a number of days past due belongs to. */
export function bucketOf(days: number): Bucket {
  return buckets.find((bucket) => days <= BUCKET_ENDS[bucket]) ?? "over-360";
}

function statusOf(days: number, { arrearAfter, defaultAfter }: StatusThresholds): SuggestedStatus {
  if (days > defaultAfter) return "default";
  return days > arrearAfter ? "arrear" : "active";
}

/** The status that a user's credits suggest: that of the worst; without credits, `active`. */
export function suggestedStatus(
  credits: readonly (StatusThresholds & { readonly daysPastDue: number })[],
): SuggestedStatus {
  const statuses = new Set(credits.map((credit) => statusOf(credit.daysPastDue, credit)));
  if (statuses.has("default")) return "default";
  return statuses.has("arrear") ? "arrear" : "active";
}
