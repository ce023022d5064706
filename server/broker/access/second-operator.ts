import type { Tx } from "../../database/connect.ts";
import type { OperatorRole } from "./principal.ts";

/**
 * True if an operator other than `but`, of one of these roles, could decide on what takes two operators: an active one
 * with a passkey or, in the demo, a sign-in address.
 */
export async function hasSecondOperator(tx: Tx, but: string, roles: readonly OperatorRole[]): Promise<boolean> {
  const found = await tx`
    select from broker.people p
    where p.role = 'operator' and p.operator_role in ${tx(roles)} and p.disabled_at is null and p.id <> ${but}
      and (p.sign_in_key_hash is not null
        or exists (select from broker.passkeys k where k.person_id = p.id and k.removed_at is null))
    limit 1`;
  return found.length > 0;
}
