import type { Tx } from "../../../database/connect.ts";
import { endFreeze, type FrozenBy, findFreeze, insertFreeze } from "../../access/freeze-store.ts";
import { lockPayer } from "../../access/hold-person.ts";
import { endSessionsOf } from "../../access/sign-in-sessions.ts";
import { endSessionsOfUser } from "../../access/widget-session-store.ts";
import { keepAccountChange } from "../account/account-change-store.ts";
import { withdrawEnrolmentsOf } from "../devices/enrolment-store.ts";

/**
 * The outcome of freezing or unfreezing a user: if that changed anything, and the person who is that user here, where
 * there is one.
 */
export interface Frozen {
  readonly isChanged: boolean;
  readonly personId: string | undefined;
}

/**
 * The user to freeze or unfreeze, the time of that, and the session that asks for it, whose browser is not notified.
 */
export interface FreezeOf {
  readonly userId: string;
  readonly newId: () => string;
  readonly now: Date;
  /** The session that asks, whose browser is not notified. */
  readonly sessionHash?: Uint8Array;
}

async function personOf(tx: Tx, userId: string): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`select id from broker.people where user_id = ${userId}`;
  return row?.id;
}

/**
 * Freezes a user of the service here; the block follower then blocks the user at the service. The person's sign-in
 * sessions and links end, and until the freeze is lifted the user's passkeys, quota pages and tills that spend the
 * user's quota are refused. Payments and sales take turns with it: one that was consumed before is under way, and none
 * is consumed after.
 */
export async function freezeUser(tx: Tx, { userId, newId, now, sessionHash }: FreezeOf, by: FrozenBy): Promise<Frozen> {
  await lockPayer(tx, userId);
  const personId = await personOf(tx, userId);
  const isChanged = await insertFreeze(tx, { id: newId(), user_id: userId, begun_at: now, begun_by: by });
  if (!isChanged || personId === undefined) return { isChanged, personId };
  await endSessionsOf(tx, personId, now);
  await withdrawEnrolmentsOf(tx, personId, now);
  await keepAccountChange(tx, { id: newId(), personId, kind: "frozen", sessionHash, now });
  return { isChanged, personId };
}

/**
 * Lifts a user's freeze, where there is one, and ends the quota pages and tills that the freeze stopped. The person
 * signs in anew, even after a sign-in at that very moment.
 */
export async function unfreezeUser(tx: Tx, { userId, newId, now }: Omit<FreezeOf, "sessionHash">): Promise<Frozen> {
  await lockPayer(tx, userId);
  const personId = await personOf(tx, userId);
  const freeze = await findFreeze(tx, userId);
  if (freeze === undefined) return { isChanged: false, personId };
  await endFreeze(tx, freeze.id, now);
  await endSessionsOfUser(tx, userId, now);
  if (personId === undefined) return { isChanged: true, personId };
  await endSessionsOf(tx, personId, now);
  await keepAccountChange(tx, { id: newId(), personId, kind: "unfrozen", now });
  return { isChanged: true, personId };
}
