import type { CreditMovement, CreditRecord, CreditTerms } from "../model/credit-commands.ts";
import type { BatchState } from "./batch-state.ts";

/** The posting that a movement of a credit belongs to, and the day on which it was booked. */
export interface BookedPosting {
  readonly id: string;
  readonly day: string;
}

/** The principal and the interest that a movement adds to a credit's debt or takes from it, in minor units. */
export interface Parts {
  readonly principal: bigint;
  readonly interest: bigint;
}

function keepMovement(
  draft: BatchState,
  credit: CreditRecord,
  kind: CreditMovement["kind"],
  { principal, interest }: Parts,
  posting: BookedPosting,
): void {
  draft.creditMovements.push({
    creditId: credit.id,
    sequenceNumber: credit.movementCount,
    kind,
    day: posting.day,
    principal,
    interest,
    postingId: posting.id,
    createdAt: draft.moment.now,
  });
}

/**
 * The fields of a new credit that {@link openCredit} takes; its debt comes from the first movement, and the other sums
 * start at zero.
 */
export type OpenedCredit = CreditTerms &
  Pick<
    CreditRecord,
    "entityId" | "userId" | "loanType" | "reference" | "principal" | "dueDate" | "openedOn" | "accruedThrough"
  >;

/**
 * Records a new credit with its first movement, whose principal and interest are its debt, and counts them in the
 * figures of the booking day; the caller made the posting.
 */
export function openCredit(
  draft: BatchState,
  opened: OpenedCredit,
  kind: "granted" | "imported",
  parts: Parts,
  posting: BookedPosting,
): CreditRecord {
  const id = draft.nextId();
  const credit: CreditRecord = {
    ...opened,
    id,
    state: "open",
    isImported: kind === "imported",
    closedOn: null,
    accrualNumerator: 0n,
    accrued: 0n,
    paidInterest: 0n,
    writtenOffPrincipal: 0n,
    writtenOffInterest: 0n,
    recovered: 0n,
    outstanding: parts.principal,
    unpaidInterest: parts.interest,
    movementCount: 1,
    postingId: posting.id,
    createdAt: draft.moment.now,
    changedId: id,
  };
  draft.openCredit(credit);
  keepMovement(draft, credit, kind, parts, posting);
  // An imported debt counts as granted and accrued: the roll-forwards of a month have no other line for it.
  const figures = { granted: parts.principal, interestAccrued: parts.interest };
  draft.addCreditDay(credit.entityId, posting.day, credit.loanType, figures);
  return credit;
}

/**
 * Records a movement of a credit, and the credit `after` it; the caller made the posting. Returns the credit as
 * recorded.
 */
export function moveCredit(
  draft: BatchState,
  after: CreditRecord,
  kind: Exclude<CreditMovement["kind"], "granted" | "imported">,
  parts: Parts,
  posting: BookedPosting,
): CreditRecord {
  const moved = { ...after, movementCount: after.movementCount + 1 };
  keepMovement(draft, moved, kind, parts, posting);
  draft.changeCredit(moved);
  return draft.credit(moved.id) ?? moved;
}
