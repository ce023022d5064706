import { addDays } from "../../../src/calendar-day.ts";
import { sumAmounts } from "../../../src/money.ts";
import type { Action, Refusal } from "../model/command.ts";
import type { AccrualRecord, Accrue, CreditAccrual, CreditRecord } from "../model/credit-commands.ts";
import type { BatchState } from "./batch-state.ts";
import type { PaymentContext } from "./decide-payment.ts";
import { accrueThrough, type DayAccrual } from "./interest.ts";
import { entityLeg, spreadLines } from "./spread-lines.ts";

/**
 * A credit whose missing interest is added to its figures, and the days whose interest was missing; nothing is posted
 * yet.
 */
export interface AccruedCredit {
  readonly credit: CreditRecord;
  readonly days: readonly DayAccrual[];
}

/** True while a credit accrues interest as days pass; any other credit is left as it is. */
function bearsInterest(credit: CreditRecord): boolean {
  const { state, outstanding, annualRateBps, afterDue, dueDate, accruedThrough } = credit;
  if (state !== "open" || outstanding === 0n || annualRateBps === 0) return false;
  return afterDue === "continue" || dueDate === null || accruedThrough < dueDate;
}

/**
 * Computes credits as they stand at the end of a day, with the interest of every day that was not accrued yet; posts
 * nothing. A credit that bears no interest is returned as it is.
 */
export function accrueCredits(credits: readonly CreditRecord[], day: string): readonly AccruedCredit[] {
  return credits.map((credit) => {
    if (!bearsInterest(credit)) return { credit, days: [] };
    const { days, ...accrual } = accrueThrough(credit, day);
    const unpaidInterest = credit.unpaidInterest + accrual.accrued - credit.accrued;
    return { credit: { ...credit, ...accrual, unpaidInterest }, days };
  });
}

/** Posts a booking day's interest of an entity's credits, and counts it. */
function enterAccrualDay(
  draft: BatchState,
  entityId: string,
  bookedOn: string,
  accruals: readonly { readonly credit: CreditRecord; readonly day: string; readonly amount: bigint }[],
): void {
  const postingId = draft.nextId();
  const amount = sumAmounts(accruals.map((accrual) => accrual.amount));
  const receivable = entityLeg("interest_receivable", entityId, draft.moment);
  const lines = spreadLines(receivable, entityId, { interest_income: amount }, draft.moment);
  draft.post({ id: postingId, kind: "accrual", reference: `accrual-${bookedOn}` }, lines, bookedOn);

  for (const { credit, day, amount: interest } of accruals) {
    const { id: creditId, loanType, dueDate } = credit;
    draft.creditAccruals.push({ creditId, day, amount: interest, postingId } satisfies CreditAccrual);
    draft.addCreditDay(entityId, bookedOn, loanType, { interestAccrued: interest });
    if (dueDate !== null && day <= dueDate) {
      draft.addCreditDay(entityId, dueDate, loanType, { interestDue: interest });
    }
  }
}

/**
 * Posts the interest that {@link accrueCredits} added to an entity's credits, and records the credits as accrued. Each
 * booking day has one posting. A day's interest is booked on that day, or, in a closed month, on the first open day;
 * that of days before `enteredOn`, on which an imported debt entered the books, is booked on `enteredOn`. Returns the
 * sum in minor units.
 */
export function enterAccruals(
  draft: BatchState,
  entityId: string,
  accrued: readonly AccruedCredit[],
  enteredOn = "",
): bigint {
  const accruals = accrued.flatMap(({ credit, days }) => days.map(({ day, amount }) => ({ credit, day, amount })));
  const byBookingDay = Map.groupBy(accruals, ({ day }) => {
    return draft.bookingDay([entityId], day < enteredOn ? enteredOn : day);
  });
  for (const bookedOn of [...byBookingDay.keys()].sort()) {
    enterAccrualDay(draft, entityId, bookedOn, byBookingDay.get(bookedOn) ?? []);
  }
  for (const { credit } of accrued) {
    if (draft.credit(credit.id)?.accruedThrough !== credit.accruedThrough) draft.changeCredit(credit);
  }
  return sumAmounts(accruals.map(({ amount }) => amount));
}

const clockStrayed: Refusal = {
  code: "unavailable",
  detail: "The clock strayed: no interest is accrued until a person confirms the time.",
};

/**
 * Refuses every action that accrues interest once the clock strayed, until a person confirms the time: an accrual, an
 * import, and a discharge, repayment, write-off or cancellation where the user has a credit at the caller that lacks
 * interest. Returns undefined for all other actions, which go on.
 */
export function refuseUnsureInterest(draft: BatchState, action: Action, entityId: string): Refusal | undefined {
  const { isClockSure = true, day } = draft.moment;
  if (isClockSure) return undefined;
  const lacks = (credit: CreditRecord): boolean => bearsInterest(credit) && credit.accruedThrough < day;
  switch (action.type) {
    case "accrue":
    case "import-credit":
      return clockStrayed;
    case "discharge":
    case "repay-credit":
    case "write-off-credit":
    case "cancel-credit":
      return draft.creditsOf(action.userId, entityId).some(lacks) ? clockStrayed : undefined;
    case "payment":
    case "batch":
    case "transfer":
    case "assign-quota":
    case "settle":
    case "lapse":
    case "reverse":
    case "limit-counterparty":
    case "record-settlement":
    case "reverse-accruals":
    case "register-user":
    case "update-user":
    case "block-user":
    case "reserve-qr":
    case "cancel-qr":
    case "remember":
    case "refuse":
    case "void-key":
      return undefined;
    default:
      return action satisfies never;
  }
}

/**
 * Decides an accrual: posts the missing interest of those named credits that are the caller's and bear interest,
 * through the requested day, but never beyond yesterday. Returns how many credits were accrued, and the sum.
 */
export function decideAccrual(
  draft: BatchState,
  { through, credits }: Accrue,
  { entityId }: PaymentContext,
): AccrualRecord {
  const lastOver = addDays(draft.moment.day, -1);
  const day = through < lastOver ? through : lastOver;
  const ids = [...new Set(credits.map(({ creditId }) => creditId))];
  const own = ids.flatMap((id) => {
    const credit = draft.credit(id);
    return credit?.entityId === entityId && credit.accruedThrough < day && bearsInterest(credit) ? [credit] : [];
  });
  return { credits: own.length, amount: enterAccruals(draft, entityId, accrueCredits(own, day)) };
}
