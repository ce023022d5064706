import { addDays } from "../../../src/calendar-day.ts";
import { sumAmounts } from "../../../src/money.ts";
import type { AccrualReversalRecord, CreditRecord, ReverseAccruals } from "../model/credit-commands.ts";
import type { AccruedDay } from "../model/state.ts";
import type { BatchState } from "./batch-state.ts";
import type { PaymentContext } from "./decide-payment.ts";
import { takeBackThrough } from "./interest.ts";
import { entityLeg, reversedLines, spreadLines } from "./spread-lines.ts";

/** A credit as it was before the reversed days were accrued, and these days. */
interface ReversedAccrual {
  readonly credit: CreditRecord;
  readonly days: readonly AccruedDay[];
}

/**
 * An open credit as it stood at the end of the day before `from`, or of its last movement's day where that is later:
 * the movement was entered with the interest through its own day. Undefined where a movement came after the accrual:
 * part of that interest may be paid, and the principal that bore it is no longer known.
 */
function reversedAccruals(draft: BatchState, credit: CreditRecord, from: string): ReversedAccrual | undefined {
  const { days, lastMovement } = draft.accrualsSince(credit.id);
  const before = addDays(from, -1);
  const through = lastMovement.day > before ? lastMovement.day : before;
  const taken = days.filter(({ day }) => day > through);
  const amount = sumAmounts(taken.map((each) => each.amount));
  const isBefore = taken.some(({ postingId }) => postingId < lastMovement.postingId);
  if (through >= credit.accruedThrough || isBefore || amount > credit.unpaidInterest) return undefined;
  const accrual = takeBackThrough(credit, through, amount);
  if (accrual === undefined) return undefined;
  return { credit: { ...credit, ...accrual, unpaidInterest: credit.unpaidInterest - amount }, days: taken };
}

/** Posts the reversal of a booking day's interest, and counts it. */
function enterReversalDay(
  draft: BatchState,
  entityId: string,
  bookedOn: string,
  reversals: readonly (AccruedDay & { readonly credit: CreditRecord })[],
): void {
  const id = draft.nextId();
  const amount = sumAmounts(reversals.map((each) => each.amount));
  const receivable = entityLeg("interest_receivable", entityId, draft.moment);
  const lines = reversedLines(spreadLines(receivable, entityId, { interest_income: amount }, draft.moment));
  draft.post({ id, kind: "accrual_reversal", reference: `accrual-reversal-${bookedOn}` }, lines, bookedOn);
  for (const { credit, day, amount: interest } of reversals) {
    draft.creditAccruals.push({ creditId: credit.id, day, amount: -interest, postingId: id });
    draft.addCreditDay(entityId, bookedOn, credit.loanType, { interestAccrued: -interest });
    if (credit.dueDate !== null && day <= credit.dueDate) {
      draft.addCreditDay(entityId, credit.dueDate, credit.loanType, { interestDue: -interest });
    }
  }
}

/**
 * Decides the reversal of the interest that the named open credits of the caller accrued on a day and those after it,
 * by counter-postings booked on these days, or on the first open day: the credits stand as though these days had not
 * been accrued, so that they can be accrued anew. Days up to a credit's last movement stay accrued; a credit that a
 * movement changed after its accrual is left as it is, and named in the result.
 */
export function decideAccrualReversal(
  draft: BatchState,
  { from, credits }: ReverseAccruals,
  { entityId }: PaymentContext,
): AccrualReversalRecord {
  const ids = [...new Set(credits.map(({ creditId }) => creditId))];
  const accrued = ids.flatMap((id) => {
    const credit = draft.credit(id);
    const isMeant = credit?.entityId === entityId && credit.state === "open" && credit.accruedThrough >= from;
    return isMeant ? [credit] : [];
  });
  const found = accrued.map((credit) => ({ credit, taken: reversedAccruals(draft, credit, from) }));
  const taken = found.flatMap((each) => each.taken ?? []);
  const reversals = taken.flatMap(({ credit, days }) => days.map((day) => ({ ...day, credit })));
  const byBookingDay = Map.groupBy(reversals, ({ day }) => draft.bookingDay([entityId], day));
  for (const bookedOn of [...byBookingDay.keys()].sort()) {
    enterReversalDay(draft, entityId, bookedOn, byBookingDay.get(bookedOn) ?? []);
  }
  for (const { credit } of taken) draft.changeCredit(credit);
  return {
    credits: taken.length,
    amount: sumAmounts(reversals.map(({ amount }) => amount)),
    left: found.flatMap(({ credit: { id }, taken: isTaken }) =>
      isTaken === undefined && draft.accrualsSince(id).days.length > 0 ? [id] : [],
    ),
  };
}
