import { entityAccount, movementLines, userLeg } from "./books.ts";
import type { Grant, GrantRecord, Refusal, RegisteredUser, RegisterUser } from "./command.ts";
import { DEFAULT_TERMS } from "./credit-commands.ts";
import type { PaymentContext } from "./decide-payment.ts";
import type { Draft } from "./draft.ts";
import { entityAccountId, openAccount, type UserState } from "./state.ts";

/** Loan type of cash received from the user: adds quota and opens no credit. */
export const DEPOSIT = "deposit";
/** Loan type without interest that every entity has. */
export const DEFAULT_LOAN_TYPE = "default";

/** Whom a grant credits. */
type Creditee = Pick<UserState, "id" | "creatorId">;

const balanceLimit: Refusal = {
  code: "balance_limit",
  detail: "The user's balance would pass the largest that is kept; nothing was moved.",
};

function enterGrant(draft: Draft, user: Creditee, grant: Omit<Grant, "type">, context: PaymentContext): void {
  const isDeposit = grant.loanType === DEPOSIT;
  const { slot, day, now } = draft.moment;
  const account = entityAccount(isDeposit ? "cash_clearing" : "credits_receivable", context.entityId, slot);
  const from = { accountId: entityAccountId(account), entityId: context.entityId };
  const postingId = context.nextId();
  const posting = { id: postingId, kind: isDeposit ? "deposit" : "credit", reference: grant.reference } as const;
  const bookedOn = draft.post(posting, movementLines(from, userLeg(user), grant.amount, draft.moment));
  if (isDeposit) return;
  const id = context.nextId();
  const credit = {
    ...(grant.terms ?? DEFAULT_TERMS),
    id,
    entityId: context.entityId,
    userId: user.id,
    loanType: grant.loanType,
    reference: grant.reference,
    state: "open",
    principal: grant.amount,
    outstanding: grant.amount,
    dueDate: grant.dueDate ?? null,
    openedOn: day,
    closedOn: null,
    accruedThrough: day,
    accrualNumerator: 0n,
    accrued: 0n,
    unpaidInterest: 0n,
    paidInterest: 0n,
    writtenOffPrincipal: 0n,
    writtenOffInterest: 0n,
    recovered: 0n,
    movementCount: 1,
    postingId,
    createdAt: now,
    changedId: id,
  } as const;
  draft.openCredit(credit);
  const movement = { creditId: id, sequenceNumber: 1, kind: "granted", principal: grant.amount, interest: 0n } as const;
  draft.creditMovements.push({ ...movement, day: bookedOn, postingId, createdAt: now });
  draft.addCreditDay(context.entityId, bookedOn, grant.loanType, { granted: grant.amount });
}

/** Decides an assignment: a credit (debit credits receivable) or a deposit (debit cash); credits the user's quota. */
export function decideGrant(draft: Draft, grant: Grant, context: PaymentContext): GrantRecord | Refusal {
  const user = draft.user(grant.userId);
  if (user === undefined) return { code: "user_not_found", detail: "There is no such user." };
  if (draft.wouldExceed(user.id, grant.amount)) return balanceLimit;
  enterGrant(draft, user, grant, context);
  return {
    reference: grant.reference,
    userId: user.id,
    userName: user.name,
    amount: grant.amount,
    balanceAfter: draft.account(user.id).posted,
  };
}

function refuseDuplicate(draft: Draft, { nit, phone }: RegisterUser["user"]): Refusal | undefined {
  const taken = (["nit", "phone"] as const).filter(
    (field) => draft.identity(`${field}:${{ nit, phone }[field]}`) !== undefined,
  );
  if (taken.length === 0) return undefined;
  return {
    code: "duplicate_user",
    detail: `Another user has that ${taken.join(" and that ")}.`,
    faults: taken.map((field) => ({ pointer: `/${field}`, detail: "belongs to another user" })),
  };
}

/** Decides a registration: opens the user's quota account, and a credit when there is an opening quota. */
export function decideRegistration(
  draft: Draft,
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
    const grant = {
      userId: id,
      amount: action.quota,
      loanType: DEFAULT_LOAN_TYPE,
      terms: DEFAULT_TERMS,
      dueDate: undefined,
    };
    enterGrant(draft, user, { ...grant, reference: action.reference }, context);
  }
  return { ...user, posted: action.quota };
}
