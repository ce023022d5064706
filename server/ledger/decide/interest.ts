import { addDays, daysBetween } from "../../../src/calendar-day.ts";
import type { CreditRecord } from "../model/credit-commands.ts";
import { roundHalfEven } from "./round-half-even.ts";

/**
 * A credit as accrual needs it. `outstanding` has not changed since the end of `accruedThrough`, which is the last day
 * whose interest is in `accrualNumerator`, N; `accrued` is A. Interest of the due date itself still counts.
 */
export type AccruingCredit = Pick<
  CreditRecord,
  | "annualRateBps"
  | "dayBasis"
  | "dueDate"
  | "afterDue"
  | "outstanding"
  | "accruedThrough"
  | "accrualNumerator"
  | "accrued"
>;

/** The interest of one day, in minor units. */
export interface DayAccrual {
  readonly day: string;
  readonly amount: bigint;
}

/** The accrual figures of a credit after a day, and the days on the way to it that accrued at least one minor unit. */
export interface Accrual {
  /** The days that accrue something, in order: a day's fraction of a minor unit is carried in the numerator. */
  readonly days: readonly DayAccrual[];
  readonly accruedThrough: string;
  readonly accrualNumerator: bigint;
  readonly accrued: bigint;
}

const BPS_PER_WHOLE = 10_000n;

/** How many of the days after `accruedThrough`, up to `day`, bear interest. */
function bearingDays({ accruedThrough, dueDate, afterDue }: AccruingCredit, day: string): number {
  const isPastDue = afterDue === "stop" && dueDate !== null && dueDate < day;
  return Math.max(0, daysBetween(accruedThrough, isPastDue ? dueDate : day));
}

/**
 * Accrues a credit's simple interest up to and including a day (interface: Credits). K = 10 000 · day basis,
 * A(t) = N(t) / K rounded half to even, and day t accrues A(t) − A(t − 1): so the days sum to the total down to the
 * last minor unit, however many are caught up at once, and a day that is accrued already accrues nothing more.
 */
export function accrueThrough(credit: AccruingCredit, day: string): Accrual {
  const { accruedThrough, outstanding, accrued } = credit;
  if (day <= accruedThrough) return { days: [], accruedThrough, accrualNumerator: credit.accrualNumerator, accrued };
  const perDay = outstanding * BigInt(credit.annualRateBps);
  const divisor = BPS_PER_WHOLE * BigInt(credit.dayBasis);
  const count = perDay === 0n ? 0 : bearingDays(credit, day);

  const days: DayAccrual[] = [];
  const before = roundHalfEven(credit.accrualNumerator, divisor);
  let numerator = credit.accrualNumerator;
  let rounded = before;
  for (let offset = 1; offset <= count; offset += 1) {
    numerator += perDay;
    const next = roundHalfEven(numerator, divisor);
    if (next !== rounded) days.push({ day: addDays(accruedThrough, offset), amount: next - rounded });
    rounded = next;
  }
  return { days, accruedThrough: day, accrualNumerator: numerator, accrued: accrued + rounded - before };
}

/**
 * Computes a credit's accrual as it stood at the end of an earlier day, given the sum of the interest accrued since.
 * Its principal has not changed since, so N after that day is known exactly, its fraction included. Undefined where
 * that does not agree with the sum: then those days accrued on another principal.
 */
export function takeBackThrough(
  credit: AccruingCredit,
  day: string,
  amount: bigint,
): Omit<Accrual, "days"> | undefined {
  const days = bearingDays({ ...credit, accruedThrough: day }, credit.accruedThrough);
  const accrualNumerator = credit.accrualNumerator - credit.outstanding * BigInt(credit.annualRateBps) * BigInt(days);
  const divisor = BPS_PER_WHOLE * BigInt(credit.dayBasis);
  const taken = roundHalfEven(credit.accrualNumerator, divisor) - roundHalfEven(accrualNumerator, divisor);
  if (taken !== amount) return undefined;
  return { accruedThrough: day, accrualNumerator, accrued: credit.accrued - amount };
}

/**
 * Computes the part of a credit's interest that was accrued by its due date, so long as its principal is what it was at
 * the opening: zero without a due date, and all of its interest while the due date is not past.
 */
export function accruedByDueDate(credit: AccruingCredit): bigint {
  const { dueDate, accruedThrough, accrualNumerator, outstanding, afterDue } = credit;
  if (dueDate === null) return 0n;
  if (accruedThrough <= dueDate || afterDue === "stop") return credit.accrued;
  const since = outstanding * BigInt(credit.annualRateBps) * BigInt(daysBetween(dueDate, accruedThrough));
  // Below zero when the due date was past before the first accrual, as for a credit that was imported late.
  const numerator = accrualNumerator > since ? accrualNumerator - since : 0n;
  return roundHalfEven(numerator, BPS_PER_WHOLE * BigInt(credit.dayBasis));
}
