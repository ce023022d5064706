import { creditNotFound } from "../../ledger/decide/decide-repayments.ts";
import type { Refuse } from "../../ledger/model/command.ts";
import type { ServiceContext } from "../shared/service-context.ts";

/** The ids of a credit of the caller's entity and of its user, neither of which ever changes, and the user's name. */
export interface FoundCredit {
  readonly creditId: string;
  readonly userId: string;
  readonly userName: string;
}

/**
 * The ledger action that refuses a credit which the caller's entity does not have. It is posted, so that the refusal is
 * stored under the idempotency key, and an earlier answer under that key is repeated instead.
 */
export const noSuchCredit: Refuse = Object.freeze({
  type: "refuse",
  refusal: { ...creditNotFound, detail: "Your entity has no such credit." },
});

/** Finds a credit of an entity; another entity's counts as none. */
export async function findCredit(
  { sql }: Pick<ServiceContext, "sql">,
  creditId: string,
  entityId: string,
): Promise<FoundCredit | undefined> {
  const [row] = await sql<FoundCredit[]>`
    select c.id as "creditId", c.user_id as "userId", u.name as "userName"
    from service.credits c join service.users u on u.id = c.user_id
    where c.id = ${creditId} and c.entity_id = ${entityId}`;
  return row;
}
