import type { Tx } from "../../database/connect.ts";
import type { OperatorRole } from "./principal.ts";

/** True if another operator of one of these roles could decide: an active one with a passkey or a sign-in address. */
export async function hasSecondOperator(tx: Tx, but: string, roles: readonly OperatorRole[]): Promise<boolean> {
  const found = await tx`
    select from broker.people p
    where p.role = 'operator' and p.operator_role in ${tx(roles)} and p.disabled_at is null and p.id <> ${but}
      and (p.sign_in_key_hash is not null
        or exists (select from broker.passkeys k where k.person_id = p.id and k.removed_at is null))
    limit 1`;
  return found.length > 0;
}
