import type { AssignQuota, QuotaAssignmentRecord, Refusal, RegisteredUser, RegisterUser } from "../model/command.ts";
import { DEFAULT_TERMS } from "../model/credit-commands.ts";
import { openAccount, type UserState } from "../model/state.ts";
import type { BatchState } from "./batch-state.ts";
import { movementLines, userLeg } from "./books.ts";
import type { PaymentContext } from "./decide-payment.ts";
import { counterpartyLimit } from "./exposures.ts";
import { openCredit } from "./move-credit.ts";
import { refuseForeignAssignment } from "./refuse-foreign-assignment.ts";
import { entityLeg } from "./spread-lines.ts";

/** Loan type of cash received from the user: adds quota and opens no credit. */
export const DEPOSIT = "deposit";
/** Loan type without interest that every entity has. */
export const DEFAULT_LOAN_TYPE = "default";

/** The user that an assignment of quota credits. */
type Creditee = Pick<UserState, "id" | "creatorId">;

const balanceLimit: Refusal = {
  code: "balance_limit",
  detail: "The user's balance would pass the largest that is kept; nothing was moved.",
};

function enterQuotaAssignment(
  draft: BatchState,
  user: Creditee,
  assignment: Omit<AssignQuota, "type">,
  context: PaymentContext,
): void {
  const { amount, loanType, terms, reference } = assignment;
  const { entityId } = context;
  const isDeposit = loanType === DEPOSIT;
  const { moment } = draft;
  const from = entityLeg(isDeposit ? "cash_clearing" : "credits_receivable", entityId, moment);
  const id = context.nextId();
  const kind = isDeposit ? "deposit" : "credit";
  const day = draft.post({ id, kind, reference }, movementLines(from, userLeg(user), amount, moment));
  if (isDeposit) return;
  const opened = {
    ...(terms ?? DEFAULT_TERMS),
    entityId,
    userId: user.id,
    loanType,
    reference,
    principal: amount,
    dueDate: assignment.dueDate ?? null,
    openedOn: moment.day,
    accruedThrough: moment.day,
  };
  openCredit(draft, opened, "granted", { principal: amount, interest: 0n }, { id, day });
}

/**
 * Decides a quota assignment: credits the user's quota, and debits the caller's credits receivable, which opens a
 * credit, or its cash clearing, for a deposit.
 */
export function decideQuotaAssignment(
  draft: BatchState,
  assignment: AssignQuota,
  context: PaymentContext,
): QuotaAssignmentRecord | Refusal {
  const user = draft.user(assignment.userId);
  if (user === undefined) return { code: "user_not_found", detail: "There is no such user." };
  const refusal = refuseForeignAssignment(draft, user, { ...assignment, lenderId: context.entityId });
  if (refusal !== undefined) return refusal;
  if (draft.wouldExceed(user.id, assignment.amount)) return balanceLimit;
  const owed = { creditorId: user.creatorId, debtorId: context.entityId };
  if (!draft.exposures.mayOwe(owed, assignment.amount)) return counterpartyLimit;
  enterQuotaAssignment(draft, user, assignment, context);
  const record = {
    reference: assignment.reference,
    userId: user.id,
    userName: user.name,
    amount: assignment.amount,
    balanceAfter: draft.account(user.id).posted,
  };
  draft.emit({ type: "quota.added", assignment: record }, [context.entityId, user.creatorId]);
  return record;
}

/** Builds the refusal of a nit, a phone or both that another user has. */
export function duplicateUser(taken: readonly ("nit" | "phone")[]): Refusal {
  return {
    code: "duplicate_user",
    detail: `Another user has that ${taken.join(" and that ")}.`,
    faults: taken.map((field) => ({ pointer: `/${field}`, detail: "belongs to another user" })),
  };
}

function refuseDuplicate(draft: BatchState, { nit, phone }: RegisterUser["user"]): Refusal | undefined {
  const taken = (["nit", "phone"] as const).filter(
    (field) => draft.identity(`${field}:${{ nit, phone }[field]}`) !== undefined,
  );
  return taken.length === 0 ? undefined : duplicateUser(taken);
}

/**
 * Decides the registration of a user by the caller: opens the user's quota account, and a credit when there is an
 * opening quota. Refused for a nit or phone that another user has.
 */
export function decideRegistration(
  draft: BatchState,
  action: RegisterUser,
  context: PaymentContext,
): RegisteredUser | Refusal {
  const refusal = refuseDuplicate(draft, action.user);
  if (refusal !== undefined) return refusal;
  const id = context.nextId();
  const user = { ...action.user, id, creatorId: context.entityId, createdAt: draft.moment.now };
  const key = { kind: "user_quota", entityId: context.entityId, counterpartyId: null, day: null, slot: null } as const;
  draft.register({ ...user, posted: action.quota }, openAccount(id, key));
  if (action.quota > 0n) {
    const assignment = {
      userId: id,
      amount: action.quota,
      loanType: DEFAULT_LOAN_TYPE,
      terms: DEFAULT_TERMS,
      dueDate: undefined,
    };
    enterQuotaAssignment(draft, user, { ...assignment, reference: action.reference }, context);
  }
  const registered = { ...user, posted: action.quota };
  draft.emit({ type: "user.created", user: registered }, [context.entityId]);
  return registered;
}
