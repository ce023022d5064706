import type { AssignQuota, Refusal } from "../model/command.ts";
import type { UserState } from "../model/state.ts";
import type { BatchState } from "./batch-state.ts";

/** The most that an entity may assign at once to another entity's user, in minor units. */
const FOREIGN_ASSIGNMENT_CEILING = 10n ** 12n;
/**
 * The highest balance at which an account accepts a grant from another entity, in minor units. A tenth of the largest
 * balance: grants of foreign lenders never take the room that payments need. A grant is judged by the account's balance
 * before it, whatever its amount, so that trying amounts does not reveal the balance.
 */
const FOREIGN_BALANCE_CEILING = 10n ** 14n;

const lenderNotAllowed: Refusal = {
  code: "user_not_yours",
  detail:
    "Only the entity that created the user can allow that, by naming yours in its entity setting lenders (PUT " +
    "/entity-settings); nothing was moved.",
};

const lendingStopped: Refusal = {
  code: "user_not_yours",
  detail:
    "The entity that created the user lets no other entity assign quota to it: only that entity can allow it, in its " +
    "entity setting foreign_lenders (PUT /entity-settings); nothing was moved.",
};

const foreignCeiling: Refusal = {
  code: "balance_limit",
  detail:
    "That is more quota than another entity than the user's own may assign, or the account holds too much already " +
    "for another entity to add to it. Only the entity that created the user may; nothing was moved.",
};

/**
 * Refuses a quota assignment to another entity's user: where the user's creator does not allow this lender, the amount
 * is too large, or the balance is too high already. Returns undefined where it is allowed, and for the creator itself.
 */
export function refuseForeignAssignment(
  draft: BatchState,
  user: UserState,
  { lenderId, amount }: Pick<AssignQuota, "amount"> & { readonly lenderId: string },
): Refusal | undefined {
  if (user.creatorId === lenderId) return undefined;
  const { lenders, foreignLenders } = draft.entity(user.creatorId);
  if (lenders !== null && !lenders.includes(lenderId)) return lenderNotAllowed;
  if (foreignLenders === "none") return lendingStopped;
  if (amount > FOREIGN_ASSIGNMENT_CEILING) return foreignCeiling;
  return draft.account(user.id).posted > FOREIGN_BALANCE_CEILING ? foreignCeiling : undefined;
}
