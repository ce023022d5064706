import {
  type AccountKey,
  type AccountKind,
  entityAccountId,
  type LedgerAccount,
  type PostingTime,
} from "../model/state.ts";

/** One side of a movement of money: an account, and the entity in whose books it is. */
export interface Leg {
  readonly accountId: string;
  readonly entityId: string;
}

/** One line of a posting before it is entered: an account, and minor units, credits above zero and debits below. */
export interface Line {
  readonly accountId: string;
  readonly amount: bigint;
}

/** Returns a user's quota account, a liability in the books of the user's creator. */
export function userLeg(user: { readonly id: string; readonly creatorId: string }): Leg {
  return { accountId: user.id, entityId: user.creatorId };
}

/** Returns the key of an entity's own account of a kind, in a writer's slot. */
export function entityAccount(
  kind: Exclude<AccountKind, "user_quota" | "due_to" | "due_from">,
  entityId: string,
  slot: number,
): AccountKey {
  return { kind, entityId, counterpartyId: null, day: null, slot };
}

/**
 * Returns the keys of the two accounts, due to in the debtor's books and due from in the creditor's, that record the
 * debt from this day's movements between them.
 */
export function dueAccounts(
  debtor: string,
  creditor: string,
  moment: Pick<PostingTime, "day" | "slot">,
): [AccountKey, AccountKey] {
  const { day, slot } = moment;
  return [
    { kind: "due_to", entityId: debtor, counterpartyId: creditor, day, slot },
    { kind: "due_from", entityId: creditor, counterpartyId: debtor, day, slot },
  ];
}

/**
 * The lines that move `amount` from one leg (debited) to another (credited). Where the legs belong to two entities the
 * debited one owes the other, on both books: so the lines sum to zero for the posting and for each entity.
 */
export function movementLines(from: Leg, to: Leg, amount: bigint, moment: PostingTime): Line[] {
  const lines = [{ accountId: from.accountId, amount: -amount }];
  if (from.entityId !== to.entityId) {
    const [dueTo, dueFrom] = dueAccounts(from.entityId, to.entityId, moment);
    lines.push({ accountId: entityAccountId(dueTo), amount }, { accountId: entityAccountId(dueFrom), amount: -amount });
  }
  lines.push({ accountId: to.accountId, amount });
  return lines;
}

/** Returns the available balance of an account: posted less held. */
export function available(account: LedgerAccount): bigint {
  return account.posted - account.held;
}
