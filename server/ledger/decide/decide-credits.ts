import { addDays } from "../../../src/calendar-day.ts";
import type { Refusal } from "../model/command.ts";
import type { CancelCredit, CreditRecord, ImportCredit, WriteOffCredit } from "../model/credit-commands.ts";
import type { UserState } from "../model/state.ts";
import { accrueCredits, enterAccruals } from "./accrue-credits.ts";
import type { BatchState } from "./batch-state.ts";
import { available, type Line, userLeg } from "./books.ts";
import type { PaymentContext } from "./decide-payment.ts";
import { creditNotFound, insufficientBalance, userNotFound } from "./decide-repayments.ts";
import { accruedByDueDate } from "./interest.ts";
import { moveCredit, openCredit } from "./move-credit.ts";
import { entityLeg, reversedLines, spreadLines } from "./spread-lines.ts";

/** An open credit with its missing interest, and a function that posts that of all of the user's credits. */
interface FoundCredit {
  readonly user: UserState;
  readonly credit: CreditRecord;
  readonly enterMissing: () => void;
}

function findOpenCredit(
  draft: BatchState,
  { userId, creditId }: WriteOffCredit | CancelCredit,
  entityId: string,
): FoundCredit | Refusal {
  const user = draft.user(userId);
  if (user === undefined) return userNotFound;
  const credits = draft.creditsOf(userId, entityId);
  const found = credits.find(({ id }) => id === creditId);
  if (found === undefined) return creditNotFound;
  if (found.state !== "open") {
    return { code: "credit_not_open", detail: "The credit is closed, written off or cancelled; nothing was moved." };
  }
  const accrued = accrueCredits(credits, draft.moment.day);
  const credit = accrued.find(({ credit: { id } }) => id === creditId)?.credit ?? found;
  return { user, credit, enterMissing: () => enterAccruals(draft, entityId, accrued) };
}

/**
 * Decides a write-off of an open credit: what is owed, principal and interest, becomes a loss; what is paid later is a
 * recovery.
 */
export function decideWriteOff(
  draft: BatchState,
  action: WriteOffCredit,
  { entityId }: PaymentContext,
): CreditRecord | Refusal {
  const found = findOpenCredit(draft, action, entityId);
  if ("code" in found) return found;
  const { credit } = found;
  found.enterMissing();

  const { outstanding: principal, unpaidInterest: interest, loanType } = credit;
  const id = draft.nextId();
  const parts = { credits_receivable: principal, interest_receivable: interest };
  const lines = spreadLines(entityLeg("losses", entityId, draft.moment), entityId, parts, draft.moment);
  const day = draft.post({ id, kind: "write_off", reference: action.reference }, lines);
  draft.addCreditDay(entityId, day, loanType, { writtenOff: principal, interestWrittenOff: interest });
  const after = {
    ...credit,
    state: "written_off",
    closedOn: day,
    outstanding: 0n,
    unpaidInterest: 0n,
    writtenOffPrincipal: principal,
    writtenOffInterest: interest,
  } as const;
  const writtenOff = moveCredit(draft, after, "written_off", { principal, interest }, { id, day });
  draft.emit({ type: "credit.written_off", credit: writtenOff }, [entityId]);
  return writtenOff;
}

/** The lines that undo a credit: its quota, or what an imported one was taken over for, and the interest accrued. */
function cancellationLines(draft: BatchState, credit: CreditRecord, user: UserState): Line[] {
  const { entityId, outstanding, unpaidInterest, accrued } = credit;
  const { moment } = draft;
  const given = { credits_receivable: outstanding, interest_receivable: unpaidInterest - accrued };
  const from = credit.isImported ? entityLeg("cash_clearing", entityId, moment) : userLeg(user);
  const income = entityLeg("interest_income", entityId, moment);
  return [
    ...spreadLines(from, entityId, given, moment),
    ...spreadLines(income, entityId, { interest_receivable: accrued }, moment),
  ];
}

/**
 * Decides the cancellation of an open credit that was assigned by mistake: takes its quota back from the user and
 * reverses all of its interest. Refused once part of it was repaid, or where the quota is no longer available. An
 * imported credit gave no quota, so none is taken.
 */
export function decideCreditCancellation(
  draft: BatchState,
  action: CancelCredit,
  { entityId }: PaymentContext,
): CreditRecord | Refusal {
  const found = findOpenCredit(draft, action, entityId);
  if ("code" in found) return found;
  const { credit, user } = found;
  // An open credit has but one movement until it is repaid.
  if (credit.movementCount > 1) {
    return { code: "credit_repaid", detail: "Part of the credit is repaid: it cannot be undone; nothing was moved." };
  }
  const { outstanding: principal, unpaidInterest: interest, loanType, dueDate } = credit;
  if (!credit.isImported && available(draft.account(user.id)) < principal) return insufficientBalance;
  found.enterMissing();

  const id = draft.nextId();
  const lines = cancellationLines(draft, credit, user);
  const day = draft.post({ id, kind: "cancellation", reference: action.reference }, lines);
  draft.addCreditDay(entityId, day, loanType, { cancelled: principal, interestCancelled: interest });
  const interestDue = accruedByDueDate(credit) + interest - credit.accrued;
  if (dueDate !== null && interestDue > 0n) {
    draft.addCreditDay(entityId, dueDate, loanType, { interestDue: -interestDue });
  }
  const after = { ...credit, state: "cancelled", closedOn: day, outstanding: 0n, unpaidInterest: 0n } as const;
  const cancelled = moveCredit(draft, after, "cancelled", { principal, interest }, { id, day });
  draft.emit({ type: "credit.cancelled", credit: cancelled }, [entityId]);
  return cancelled;
}

const importNotYours: Refusal = {
  code: "user_not_yours",
  detail: "Only the entity that created a user may import a credit of it.",
};

/**
 * Decides an import of a credit that ran elsewhere: its debt enters the receivables against cash clearing, booked
 * today. The interest of the days after `accruedThrough` that are over is accrued at once, and booked today too: the
 * books of earlier months do not have the debt that it is for. Only the user's creator may import.
 */
export function decideImport(
  draft: BatchState,
  action: ImportCredit,
  { entityId }: PaymentContext,
): CreditRecord | Refusal {
  const { type: _, terms, outstanding: principal, unpaidInterest: interest, reference, ...fields } = action;
  const user = draft.user(action.userId);
  if (user === undefined) return userNotFound;
  // Otherwise an entity could invent a debt that gave no quota, and take it from the quota of another entity's user.
  if (user.creatorId !== entityId) return importNotYours;
  if (principal + interest === 0n) {
    return { code: "invalid_request", detail: "Of a credit to be imported something must be owed." };
  }
  const id = draft.nextId();
  const cash = entityLeg("cash_clearing", entityId, draft.moment);
  const parts = { credits_receivable: principal, interest_receivable: interest };
  const lines = reversedLines(spreadLines(cash, entityId, parts, draft.moment));
  const day = draft.post({ id, kind: "import", reference }, lines);
  const dueDate = fields.dueDate ?? null;
  const opened = { ...fields, ...terms, dueDate, entityId, reference };
  const credit = openCredit(draft, opened, "imported", { principal, interest }, { id, day });
  if (dueDate !== null && interest > 0n) {
    draft.addCreditDay(entityId, dueDate, credit.loanType, { interestDue: interest });
  }
  enterAccruals(draft, entityId, accrueCredits([credit], addDays(draft.moment.day, -1)), day);
  return draft.credit(credit.id) ?? credit;
}
