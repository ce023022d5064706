import type { BusinessTime } from "../../src/business-time.ts";
import { addDays, daysBetween } from "../../src/calendar-day.ts";
import { formatAmount } from "../../src/money.ts";
import type { CreditRows, EntryRow, RawRows } from "./report-rows.ts";

/** A report as it ought to be: slow and plain, from every raw row. */
export interface Reference {
  readonly rows: RawRows;
  readonly time: BusinessTime;
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Minor units as reports write them. */
export const text = (minor: bigint): string => formatAmount(minor, 2);

/** Sums an amount of each item. */
export function sum<T>(items: readonly T[], amountOf: (item: T) => bigint): bigint {
  let total = 0n;
  for (const item of items) total += amountOf(item);
  return total;
}

/** A quotient to the nearest whole number, halves to even; null without a denominator. */
export function quotient(part: bigint, whole: bigint): bigint | null {
  if (whole === 0n) return null;
  const floor = part / whole;
  const twice = 2n * (part % whole);
  if (twice < whole) return floor;
  if (twice > whole) return floor + 1n;
  return floor % 2n === 0n ? floor : floor + 1n;
}

/** A ratio in basis points. */
export function rate(part: bigint, whole: bigint): number | null {
  const bps = quotient(part * 10_000n, whole);
  return bps === null ? null : Number(bps);
}

/** Basis points that sum to 10 000: one more, one by one, for the part that is cut the most. */
export function shares(parts: readonly bigint[]): (number | null)[] {
  const whole = sum(parts, (part) => part);
  if (whole === 0n) return parts.map(() => null);
  const given = parts.map((part) => (part * 10_000n) / whole);
  const cut = parts.map((part) => (part * 10_000n) % whole);
  while (sum(given, (each) => each) < 10_000n) {
    const most = cut.reduce((left, right) => (left >= right ? left : right));
    const index = cut.indexOf(most);
    given[index] = (given[index] ?? 0n) + 1n;
    cut[index] = -1n;
  }
  return given.map(Number);
}

/** Every day from the first to the last. */
export function everyDay(first: string, last: string): string[] {
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => addDays(first, index));
}

/** Principal and interest that a credit had at the end of a day; nothing before it was opened. */
export function debtAt(credit: CreditRows, day: string): { readonly principal: bigint; readonly interest: bigint } {
  const movements = credit.movements.filter((movement) => movement.day <= day && movement.kind !== "recovered");
  const signOf = (kind: string): bigint => (kind === "granted" || kind === "imported" ? 1n : -1n);
  if (!movements.some(({ kind }) => signOf(kind) === 1n)) return { principal: 0n, interest: 0n };
  const accrued = sum(
    credit.accruals.filter((accrual) => accrual.day <= day),
    ({ amount }) => amount,
  );
  return {
    principal: sum(movements, ({ kind, principal }) => signOf(kind) * principal),
    interest: accrued + sum(movements, ({ kind, interest }) => signOf(kind) * interest),
  };
}

/** Sums the changes of credits on a day: by booking day, but amounts that fall due by their due date. */
export function creditDay(credits: readonly CreditRows[], day: string) {
  const movements = credits.flatMap((credit) => credit.movements.map((each) => ({ ...each, dueDate: credit.dueDate })));
  const on = (kind: string) => movements.filter((each) => each.kind === kind && each.day === day);
  const principal = (kind: string) => sum(on(kind), (each) => each.principal);
  const interest = (kind: string) => sum(on(kind), (each) => each.interest);
  const booked = credits.flatMap(({ accruals }) => accruals.filter(({ bookedOn }) => bookedOn === day));
  const late = on("repaid").filter(({ dueDate, ...each }) => dueDate !== null && each.day > dueDate);
  const due = credits.filter(({ dueDate }) => dueDate === day);
  const alive = due.filter(({ movements: own }) => !own.some(({ kind }) => kind === "cancelled"));
  const dueOf = ({ accruals, movements: own }: CreditRows): bigint =>
    sum(
      accruals.filter((each) => each.day <= day),
      ({ amount }) => amount,
    ) +
    sum(
      own.filter(({ kind }) => kind === "imported"),
      (each) => each.interest,
    );
  const onTime = due.flatMap(({ movements: own }) => own.filter((each) => each.kind === "repaid" && each.day <= day));
  return {
    granted: principal("granted") + principal("imported"),
    repaid: principal("repaid"),
    cancelled: principal("cancelled"),
    writtenOff: principal("written_off"),
    recovered: principal("recovered") + interest("recovered"),
    interestAccrued: sum(booked, ({ amount }) => amount) + interest("imported"),
    interestPaid: interest("repaid"),
    interestCancelled: interest("cancelled"),
    interestWrittenOff: interest("written_off"),
    interestDue: sum(alive, dueOf),
    interestOnTime: sum(onTime, (each) => each.interest),
    lateInterest: sum(late, (each) => each.interest),
    latePrincipal: sum(late, (each) => each.principal),
  };
}

/** The figures of many days. */
export function creditDays(credits: readonly CreditRows[], days: readonly string[]): ReturnType<typeof creditDay> {
  const all = days.map((day) => creditDay(credits, day));
  const names = Object.keys(creditDay([], "")) as (keyof ReturnType<typeof creditDay>)[];
  return Object.fromEntries(names.map((name) => [name, sum(all, (each) => each[name])])) as (typeof all)[number];
}

/** Sums the debits and the credits of entries. */
export function sides(entries: readonly EntryRow[]): { readonly debit: bigint; readonly credit: bigint } {
  return {
    debit: -sum(
      entries.filter(({ amount }) => amount < 0n),
      ({ amount }) => amount,
    ),
    credit: sum(
      entries.filter(({ amount }) => amount > 0n),
      ({ amount }) => amount,
    ),
  };
}

/** The names and limits of the ranges of days past due. */
const RANGES: readonly (readonly [string, number, number])[] = [
  ["current", 0, 0],
  ["1-30", 1, 30],
  ["31-60", 31, 60],
  ["61-90", 61, 90],
  ["91-180", 91, 180],
  ["181-360", 181, 360],
  ["over-360", 361, Number.POSITIVE_INFINITY],
];

/** The names of the ranges, in order. */
export const rangeNames: readonly string[] = RANGES.map(([name]) => name);

/** How many days late something is that fell due on a day. */
export function lateness(dueDate: string | null, day: string): number {
  return dueDate === null || dueDate >= day ? 0 : daysBetween(dueDate, day);
}

/** The range that a lateness is in. */
export function rangeOf(days: number): string {
  return RANGES.find(([, first, last]) => days >= first && days <= last)?.[0] ?? "none";
}
