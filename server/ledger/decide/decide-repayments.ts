import { sumAmounts } from "../../../src/money.ts";
import type { Refusal } from "../model/command.ts";
import type { CreditRecord, Discharge, RepayCredit, RepaymentRecord } from "../model/credit-commands.ts";
import type { Posting, UserState } from "../model/state.ts";
import { type AccruedCredit, accrueCredits, enterAccruals } from "./accrue-credits.ts";
import type { BatchState } from "./batch-state.ts";
import { available, userLeg } from "./books.ts";
import { isPayerBlocked, type PaymentContext } from "./decide-payment.ts";
import { counterpartyLimit } from "./exposures.ts";
import { type BookedPosting, moveCredit } from "./move-credit.ts";
import { allocateRepayment, compareForRepayment, type RepayableScope, type RepaymentShare } from "./repayment.ts";
import { entityLeg, spreadLines } from "./spread-lines.ts";

/** A recovery on a written-off credit. */
interface Recovery {
  readonly credit: CreditRecord;
  readonly amount: bigint;
}

/** How a repayment is spread over a user's credits at an entity, and what is left of it. */
interface RepaymentPlan {
  /** The credits with their missing interest, which is entered first. */
  readonly accrued: readonly AccruedCredit[];
  readonly shares: readonly RepaymentShare<CreditRecord>[];
  readonly recoveries: readonly Recovery[];
  readonly rest: bigint;
}

/** The amount that may still be recovered on a written-off credit. */
function recoverable({ writtenOffPrincipal, writtenOffInterest, recovered }: CreditRecord): bigint {
  return writtenOffPrincipal + writtenOffInterest - recovered;
}

function planRecoveries(credits: readonly CreditRecord[], amount: bigint): { recoveries: Recovery[]; rest: bigint } {
  let rest = amount;
  const recoveries = credits.toSorted(compareForRepayment).flatMap((credit) => {
    const owed = recoverable(credit);
    const taken = rest < owed ? rest : owed;
    rest -= taken;
    return taken > 0n ? [{ credit, amount: taken }] : [];
  });
  return { recoveries, rest };
}

/** Which of a user's credits a repayment is for, its amount, and the part of their debt that it may reach. */
interface RepaymentRequest {
  readonly amount: bigint;
  readonly isMeant: (credit: CreditRecord) => boolean;
  readonly reach: RepayableScope;
}

/**
 * The part of a debt that a lender may take from a user's quota. Quota that it did not assign is another entity's: a
 * debt that grows by interest of the lender's own choosing must not empty it, unless the user's creator allows that.
 */
function repayableScopeOf(draft: BatchState, { creatorId }: UserState, entityId: string): RepayableScope {
  return creatorId === entityId || draft.entity(creatorId).foreignLenders === "owed" ? "owed" : "principal";
}

/**
 * Spreads an amount over a user's credits as they stand on a day: of those that are meant the open ones, in the order
 * of repayment, then those that were written off. Posts nothing.
 */
function planRepayment(
  credits: readonly CreditRecord[],
  day: string,
  { amount, isMeant, reach }: RepaymentRequest,
): RepaymentPlan {
  const open = credits.filter(({ state }) => state === "open");
  const writtenOff =
    reach === "principal" ? [] : credits.filter((credit) => credit.state === "written_off" && isMeant(credit));
  const accrued = accrueCredits(open, day);
  const meant = accrued.map(({ credit }) => credit).filter(isMeant);
  const { shares, rest } = allocateRepayment(meant, amount, reach);
  return { accrued, shares, ...planRecoveries(writtenOff, rest) };
}

function enterShare(draft: BatchState, share: RepaymentShare<CreditRecord>, posting: BookedPosting): CreditRecord {
  const { credit, interest, principal } = share;
  const outstanding = credit.outstanding - principal;
  const unpaidInterest = credit.unpaidInterest - interest;
  const isPaid = outstanding + unpaidInterest === 0n;
  const after = {
    ...credit,
    outstanding,
    unpaidInterest,
    paidInterest: credit.paidInterest + interest,
    ...(isPaid ? ({ state: "closed", closedOn: posting.day } as const) : {}),
  };
  const { entityId, loanType, dueDate } = credit;
  const isLate = dueDate !== null && dueDate < posting.day;
  const late = isLate ? { latePrincipal: principal, lateInterest: interest } : {};
  draft.addCreditDay(entityId, posting.day, loanType, { repaid: principal, interestPaid: interest, ...late });
  if (dueDate !== null && !isLate && interest > 0n) {
    draft.addCreditDay(entityId, dueDate, loanType, { interestOnTime: interest });
  }
  return moveCredit(draft, after, "repaid", { principal, interest }, posting);
}

function enterRecovery(draft: BatchState, { credit, amount }: Recovery, posting: BookedPosting): CreditRecord {
  const unrecoveredInterest = credit.writtenOffInterest - credit.recovered;
  const openInterest = unrecoveredInterest > 0n ? unrecoveredInterest : 0n;
  const interest = amount < openInterest ? amount : openInterest;
  draft.addCreditDay(credit.entityId, posting.day, credit.loanType, { recovered: amount });
  const after = { ...credit, recovered: credit.recovered + amount };
  return moveCredit(draft, after, "recovered", { principal: amount - interest, interest }, posting);
}

/** The inputs of entering a repayment. */
interface Repayment {
  readonly user: UserState;
  readonly entityId: string;
  readonly source: "cash" | "quota";
  readonly kind: Extract<Posting["kind"], "discharge" | "repayment">;
  readonly amount: bigint;
  readonly reference: string;
}

function enterRepayment(draft: BatchState, repayment: Repayment, plan: RepaymentPlan): RepaymentRecord {
  const { user, entityId, source, kind, amount, reference } = repayment;
  const { accrued, shares, recoveries, rest } = plan;
  enterAccruals(draft, entityId, accrued);
  const repaidInterest = sumAmounts(shares.map(({ interest }) => interest));
  const repaidPrincipal = sumAmounts(shares.map(({ principal }) => principal));
  const recovered = sumAmounts(recoveries.map((recovery) => recovery.amount));
  const parts = {
    interest_receivable: repaidInterest,
    credits_receivable: repaidPrincipal,
    recoveries: recovered,
    cash_clearing: rest,
  };
  const from = source === "cash" ? entityLeg("cash_clearing", entityId, draft.moment) : userLeg(user);
  const id = draft.nextId();
  const day = draft.post({ id, kind, reference }, spreadLines(from, entityId, parts, draft.moment));
  const posting = { id, day };
  // A share was planned on the accrued credit, which differs from the one kept by now in its change id only.
  const repaid = shares.map((share) => enterShare(draft, share, posting));
  const regained = recoveries.map((recovery) => enterRecovery(draft, recovery, posting));
  return {
    reference,
    userId: user.id,
    userName: user.name,
    amount,
    repaidInterest,
    repaidPrincipal,
    recovered,
    paidOut: rest,
    balanceAfter: source === "cash" ? null : draft.account(user.id).posted,
    credits: [...repaid, ...regained],
  };
}

/** The refusal of an action on credits that names an unknown user. */
export const userNotFound: Refusal = { code: "user_not_found", detail: "There is no such user." };

/** The refusal of an action on a credit that is unknown, another user's or another entity's. */
export const creditNotFound: Refusal = {
  code: "credit_not_found",
  detail: "The user has no such credit at your entity.",
};

/** The refusal of an action on credits that would take more from a user's quota than is available. */
export const insufficientBalance: Refusal = {
  code: "insufficient_balance",
  detail: "The user's available balance is less than the amount; nothing was moved.",
};

const beyondDebt: Refusal = {
  code: "user_not_yours",
  detail:
    "From the quota of another entity's user you may take back no more than the principal that it owes you, or all " +
    "that it owes you where its entity's foreign_lenders says so; nothing was moved.",
};

const moreThanOwed: Refusal = {
  code: "more_than_owed",
  detail:
    "The amount is more than what is owed; nothing was moved. GET /credits shows what is left of a credit: " +
    "outstanding and unpaid_interest, or what was written off less recovered.",
};

const blockedPayout: Refusal = {
  code: "payer_blocked",
  detail:
    "The user is blocked: its quota repays what it owes, and the rest is not paid out. Discharge no more than it " +
    "owes you, or unblock it; nothing was moved.",
};

/** Emits the whole repayment to the lender; to the user's creator, if that is another entity, without the credits. */
function emitRepayment(
  draft: BatchState,
  type: "quota.discharged" | "credit.repaid",
  repayment: RepaymentRecord,
  { entityId, creatorId }: { readonly entityId: string; readonly creatorId: string },
): void {
  draft.emit({ type, repayment }, [entityId]);
  if (creatorId !== entityId) draft.emit({ type, repayment: { ...repayment, credits: [] } }, [creatorId]);
}

/**
 * Decides a discharge: takes quota from a user, which repays the user's open credits at the caller. The rest is paid
 * out to the user in cash; a discharge with a rest is refused unless the caller is the user's creator, and while the
 * user is blocked. An entity that is not the creator may take the principal it is owed, and interest where the creator
 * allows that. Credits that were written off are left alone.
 */
export function decideDischarge(
  draft: BatchState,
  { userId, amount, reference, assumesBalance = false }: Discharge,
  { entityId }: PaymentContext,
): RepaymentRecord | Refusal {
  const user = draft.user(userId);
  if (user === undefined) return userNotFound;
  const isOpen = ({ state }: CreditRecord): boolean => state === "open";
  const wish = { amount, isMeant: isOpen, reach: repayableScopeOf(draft, user, entityId) };
  const plan = planRepayment(draft.creditsOf(userId, entityId), draft.moment.day, wish);
  if (plan.rest > 0n && user.creatorId !== entityId) return beyondDebt;
  if (plan.rest > 0n && isPayerBlocked(draft, user)) return blockedPayout;
  const isAssumed = assumesBalance && user.creatorId !== entityId;
  if (!isAssumed && available(draft.account(userId)) < amount) return insufficientBalance;
  const owed = { creditorId: entityId, debtorId: user.creatorId };
  if (!draft.exposures.mayOwe(owed, amount)) return counterpartyLimit;

  const discharge = { user, entityId, source: "quota", kind: "discharge", amount, reference } as const;
  const record = enterRepayment(draft, discharge, plan);
  const parties = { entityId, creatorId: user.creatorId };
  emitRepayment(draft, "quota.discharged", record, parties);
  if (record.credits.length > 0) draft.emit({ type: "credit.repaid", repayment: record }, [entityId]);
  return record;
}

/**
 * Decides a repayment, in cash or from the quota, of one credit, or of all of the user's credits at the caller: the
 * open ones in the order of repayment, then those written off, whose repayment is a recovery. Refused where it is more
 * than is owed.
 */
export function decideRepayment(
  draft: BatchState,
  action: RepayCredit,
  { entityId }: PaymentContext,
): RepaymentRecord | Refusal {
  const { userId, creditId, amount, source, reference } = action;
  const user = draft.user(userId);
  if (user === undefined) return userNotFound;
  const credits = draft.creditsOf(userId, entityId);
  const isMeant = ({ id }: CreditRecord): boolean => creditId === undefined || id === creditId;
  if (creditId !== undefined && !credits.some(isMeant)) return creditNotFound;
  const reach = source === "cash" ? "owed" : repayableScopeOf(draft, user, entityId);
  const plan = planRepayment(credits, draft.moment.day, { amount, isMeant, reach });
  if (plan.rest > 0n && source === "quota" && user.creatorId !== entityId) return beyondDebt;
  if (plan.rest > 0n) return moreThanOwed;
  if (source === "quota" && available(draft.account(userId)) < amount) return insufficientBalance;
  const owed = { creditorId: entityId, debtorId: user.creatorId };
  if (source === "quota" && !draft.exposures.mayOwe(owed, amount)) return counterpartyLimit;

  const record = enterRepayment(draft, { user, entityId, source, kind: "repayment", amount, reference }, plan);
  if (source === "cash") draft.emit({ type: "credit.repaid", repayment: record }, [entityId]);
  else emitRepayment(draft, "credit.repaid", record, { entityId, creatorId: user.creatorId });
  return record;
}
