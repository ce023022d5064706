import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Tx } from "../../database/connect.ts";
import type { BrokerContext } from "./broker-context.ts";
import { accountFrozen, findFreeze } from "./freeze-store.ts";
import type { PersonPrincipal } from "./principal.ts";

/**
 * Locks a user, as the one who pays, until the transaction ends: payments, sales, freezes and changes of limits of one
 * user wait for each other. Spent sums are read afterwards: a statement that waited for the lock would still see what
 * was there before. No transaction locks a merchant, a session or a grant before its payer, so that no two deadlock.
 */
export async function lockPayer(tx: Tx, userId: string): Promise<void> {
  // A merchant's user may sell without ever having been in the app, and then has no row here to be locked.
  await Promise.all([
    tx`select pg_advisory_xact_lock(hashtextextended(${userId}::text, 0))`.execute(),
    tx`select from broker.people where user_id = ${userId} for no key update`.execute(),
  ]);
}

/**
 * Returns `account_frozen` or `unauthorized`, in the transaction that commits, if the person's account was frozen or
 * the sign-in session ended since the request came. The caller locks the payer before: a later freeze, or end of the
 * session, waits until the transaction is done.
 */
export async function endingOf(
  { signIns }: Pick<BrokerContext, "signIns">,
  tx: Tx,
  { userId, sessionHash }: PersonPrincipal,
): Promise<ApiError | undefined> {
  if (await signIns.hold(tx, sessionHash)) return undefined;
  // The session of a frozen person is not live either.
  return (await findFreeze(tx, userId)) === undefined ? new ApiError("unauthorized") : accountFrozen();
}

/**
 * Locks a person, until the transaction ends, for a security change of the account, such as of its limits, devices or
 * consents; throws `account_frozen` or `unauthorized` if the account is frozen or the sign-in session ended.
 */
export async function holdPerson(
  broker: Pick<BrokerContext, "signIns">,
  tx: Tx,
  principal: PersonPrincipal,
): Promise<void> {
  await lockPayer(tx, principal.userId);
  const ending = await endingOf(broker, tx, principal);
  if (ending !== undefined) throw ending;
}
