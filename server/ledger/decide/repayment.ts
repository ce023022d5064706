import type { CreditRecord } from "../model/credit-commands.ts";

/** The fields of a credit that a repayment is allocated by; its interest is accrued up to the day of the repayment. */
export type OwedCredit = Pick<CreditRecord, "id" | "dueDate" | "openedOn" | "unpaidInterest" | "outstanding">;

/** The part of a repayment that goes to one credit. */
export interface RepaymentShare<C extends OwedCredit> {
  readonly credit: C;
  readonly interest: bigint;
  readonly principal: bigint;
}

/** The shares of a repayment, and the rest that no credit took. */
export interface RepaymentAllocation<C extends OwedCredit> {
  /** The credits that get something, in the order in which they are repaid. */
  readonly shares: readonly RepaymentShare<C>[];
  readonly rest: bigint;
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function compareDueDates(left: string | null, right: string | null): number {
  if (left !== null && right !== null) return compareText(left, right);
  return Number(left === null) - Number(right === null);
}

/**
 * Compares two credits by the order in which they are repaid: by due date (none comes last), then the day of opening,
 * then the id.
 */
export function compareForRepayment(left: OwedCredit, right: OwedCredit): number {
  return (
    compareDueDates(left.dueDate, right.dueDate) ||
    compareText(left.openedOn, right.openedOn) ||
    compareText(left.id, right.id)
  );
}

function atMost(limit: bigint, amount: bigint): bigint {
  return amount < limit ? amount : limit;
}

/** The part of a debt that a repayment may reach: all that is owed, or the principal alone. */
export type RepayableScope = "owed" | "principal";

/**
 * Allocates a repayment to a user's credits, one after the other in the order of {@link compareForRepayment}: within
 * each first to its unpaid interest and then to its principal; or to the principal alone. The caller has accrued the
 * credits up to the day of the repayment.
 */
export function allocateRepayment<C extends OwedCredit>(
  credits: readonly C[],
  amount: bigint,
  reach: RepayableScope = "owed",
): RepaymentAllocation<C> {
  let rest = amount;
  const shares = credits.toSorted(compareForRepayment).flatMap((credit) => {
    const interest = reach === "principal" ? 0n : atMost(credit.unpaidInterest, rest);
    const principal = atMost(credit.outstanding, rest - interest);
    rest -= interest + principal;
    return interest + principal > 0n ? [{ credit, interest, principal }] : [];
  });
  return { shares, rest };
}
