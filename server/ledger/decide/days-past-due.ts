import { daysBetween } from "../../../src/calendar-day.ts";
import type { CreditRecord, CreditTerms } from "../model/credit-commands.ts";

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

/** The name of a range of days past due, such as `31-60`. */
export type Bucket = keyof typeof BUCKET_ENDS;

/** Every bucket, from the least late to the latest. */
export const buckets = Object.freeze(Object.keys(BUCKET_ENDS) as Bucket[]);

/** The numbers of days past due above which the status `arrear`, or `default`, is suggested. */
export type StatusThresholds = Pick<CreditTerms, "arrearAfter" | "defaultAfter">;

/** The user status that days past due suggest; the status that the user's creator set is kept apart from it. */
export type SuggestedStatus = "active" | "arrear" | "default";

/**
 * How many days a credit is past due at the end of a calendar day: none while nothing is unpaid, on the due date
 * itself, or without a due date.
 */
export function daysPastDue(
  { dueDate, outstanding, unpaidInterest }: Pick<CreditRecord, "dueDate" | "outstanding" | "unpaidInterest">,
  asOfDay: string,
): number {
  if (dueDate === null || outstanding + unpaidInterest === 0n) return 0;
  return Math.max(0, daysBetween(dueDate, asOfDay));
}

/** Returns the first and the last number of days past due in a bucket; of `over-360` the last is undefined. */
export function daysOf(bucket: Bucket): { readonly first: number; readonly last: number | undefined } {
  const end = BUCKET_ENDS[bucket];
  const before = buckets[buckets.indexOf(bucket) - 1];
  const first = before === undefined ? 0 : BUCKET_ENDS[before] + 1;
  return { first, last: end === Number.POSITIVE_INFINITY ? undefined : end };
}

/** The bucket that a number of days past due belongs to. */
export function bucketOf(days: number): Bucket {
  return buckets.find((bucket) => days <= BUCKET_ENDS[bucket]) ?? "over-360";
}

function statusOf(days: number, { arrearAfter, defaultAfter }: StatusThresholds): SuggestedStatus {
  if (days > defaultAfter) return "default";
  return days > arrearAfter ? "arrear" : "active";
}

/** Returns the status that a user's credits suggest: the worst that any one of them does; without credits, `active`. */
export function suggestedStatus(
  credits: readonly (StatusThresholds & { readonly daysPastDue: number })[],
): SuggestedStatus {
  const statuses = new Set(credits.map((credit) => statusOf(credit.daysPastDue, credit)));
  if (statuses.has("default")) return "default";
  return statuses.has("arrear") ? "arrear" : "active";
}
