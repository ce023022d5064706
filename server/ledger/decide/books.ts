import {
  type AccountKey,
  type AccountKind,
  entityAccountId,
  type LedgerAccount,
  type PostingTime,
} from "../model/state.ts";

/** One leg of a movement: an account of an entity's books. */
export interface Leg {
  readonly accountId: string;
  readonly entityId: string;
}

/** One line of a posting before it is entered. */
export interface Line {
  readonly accountId: string;
  readonly amount: bigint;
}

/** A user's quota account, a liability of the user's creator. */
export function userLeg(user: { readonly id: string; readonly creatorId: string }): Leg {
  return { accountId: user.id, entityId: user.creatorId };
}

/** An entity's own account of a kind, in this writer's slot. */
export function entityAccount(
  kind: Exclude<AccountKind, "user_quota" | "due_to" | "due_from">,
  entityId: string,
  slot: number,
): AccountKey {
  return { kind, entityId, counterpartyId: null, day: null, slot };
}

/** The accounts of what `debtor` owes `creditor` from this day's movements between them, on both books. */
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

/** The available balance of an account. */
export function available(account: LedgerAccount): bigint {
  return account.posted - account.held;
}
