import { creditNotFound } from "../../ledger/decide/decide-repayments.ts";
import type { Refuse } from "../../ledger/model/command.ts";
import type { ServiceContext } from "../shared/service-context.ts";

/** A credit of the caller's entity, and whose it is: neither ever changes. */
export interface FoundCredit {
  readonly creditId: string;
  readonly userId: string;
  readonly userName: string;
}

/** The ledger command where the caller's entity has no such credit, so that the refusal is kept with its key. */
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
