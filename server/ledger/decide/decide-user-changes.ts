import type { Refusal } from "../model/command.ts";
import type { BlockUser, ChangedUserRecord, UpdateUser, UserChanges, WholeUser } from "../model/user-commands.ts";
import type { BatchState } from "./batch-state.ts";
import type { PaymentContext } from "./decide-payment.ts";
import { duplicateUser } from "./decide-users.ts";

function findOwn(draft: BatchState, userId: string, entityId: string): WholeUser | Refusal {
  const user = draft.wholeUser(userId);
  if (user === undefined) return { code: "user_not_found", detail: "There is no user with that id." };
  if (user.creatorId === entityId) return user;
  return { code: "user_not_yours", detail: "Only the entity that created a user may change it." };
}

function withBalance(draft: BatchState, user: WholeUser): ChangedUserRecord {
  const { posted, held } = draft.account(user.id);
  return { ...user, posted, held };
}

function takenFields(draft: BatchState, userId: string, changes: UserChanges): ("nit" | "phone")[] {
  return (["nit", "phone"] as const).filter((field) => {
    const value = changes[field];
    const holder = value === undefined ? undefined : draft.identity(`${field}:${value}`);
    return holder !== undefined && holder !== userId;
  });
}

function isChanged(user: WholeUser, changes: UserChanges): boolean {
  return Object.entries(changes).some(([field, value]) => user[field as keyof UserChanges] !== value);
}

/**
 * Decides a change of a user's record, which only the user's creator may make: refused for a nit or phone that another
 * user has. Fields that are not named stay as they are; a change that changes nothing emits no event.
 */
export function decideUpdate(
  draft: BatchState,
  action: UpdateUser,
  { entityId }: PaymentContext,
): ChangedUserRecord | Refusal {
  const user = findOwn(draft, action.userId, entityId);
  if ("code" in user) return user;
  const taken = takenFields(draft, user.id, action.changes);
  if (taken.length > 0) return duplicateUser(taken);
  if (!isChanged(user, action.changes)) return withBalance(draft, user);
  const changed = draft.changeUser({ ...user, ...action.changes });
  draft.emit({ type: "user.updated", user: changed }, [changed.creatorId]);
  return withBalance(draft, changed);
}

/** Decides the block of a user as payer, or its end, by the user's creator only; a second one changes nothing. */
export function decideBlock(
  draft: BatchState,
  action: BlockUser,
  { entityId }: PaymentContext,
): ChangedUserRecord | Refusal {
  const user = findOwn(draft, action.userId, entityId);
  if ("code" in user) return user;
  if ((user.blockedAt !== null) === action.isBlocked) return withBalance(draft, user);
  const changed = draft.changeUser({ ...user, blockedAt: action.isBlocked ? draft.moment.now : null });
  draft.emit({ type: action.isBlocked ? "user.blocked" : "user.updated", user: changed }, [changed.creatorId]);
  return withBalance(draft, changed);
}
