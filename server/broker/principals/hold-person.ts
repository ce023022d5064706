import { ApiError } from "../../../src/contract/errors.ts";
import type { Tx } from "../../database/connect.ts";
import type { BrokerContext } from "../broker-context.ts";
import { refuseFrozen } from "../freezes/freeze-store.ts";
import { lockPayer } from "../limits/limit-store.ts";
import type { PersonPrincipal } from "./principal.ts";

/**
 * Refuses, in the transaction that commits, a person whose account was frozen or whose session ended since the request
 * came. The caller locks the payer before: a later freeze, or end of the session, waits until the transaction is done.
 */
export async function refuseEnded(
  { signIns }: Pick<BrokerContext, "signIns">,
  tx: Tx,
  { userId, sessionHash }: PersonPrincipal,
): Promise<void> {
  await refuseFrozen(tx, userId);
  if (!(await signIns.hold(tx, sessionHash))) throw new ApiError("unauthorized");
}

/** Locks a person for a change of what others may do with the account; refuses if it is frozen or the session ended. */
export async function holdPerson(
  broker: Pick<BrokerContext, "signIns">,
  tx: Tx,
  principal: PersonPrincipal,
): Promise<void> {
  await lockPayer(tx, principal.userId);
  await refuseEnded(broker, tx, principal);
}
