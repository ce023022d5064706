import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Refusal } from "../../ledger/model/command.ts";
import { FAULTS_DETAIL, type ServiceContext } from "../shared/service-context.ts";
import { bareNit, findUser, type UserRecord } from "../users/find-user.ts";
import { type LookUpCall, lookUpUser } from "../users/look-up-user.ts";

/** A body that names a user by `id`, `nit` or both. */
export interface Who {
  readonly id?: string | undefined;
  readonly nit?: string | undefined;
}

/** Makes the refusal of a faulty body, which goes through the ledger: an earlier answer under the same key wins. */
export function invalidRequest(faults: readonly Fault[]): Refusal {
  return { code: "invalid_request", detail: FAULTS_DETAIL, faults };
}

/**
 * Finds the user that `id` or `nit` names; with both, they must be the same user. A nit could be guessed, alone or
 * beside an id: it is looked up as get-user does it.
 */
export async function findWho(
  service: ServiceContext,
  { id, nit }: Who,
  call: LookUpCall,
): Promise<UserRecord | Refusal> {
  const user = await (nit === undefined
    ? findUser(service, { id: id ?? "" })
    : lookUpUser(service, id === undefined ? { nit } : { id, nit }, call));
  if (user === undefined) return { code: "user_not_found", detail: "No user has that id or nit." };
  if (id === undefined || nit === undefined || user.nit === bareNit(nit)) return user;
  return invalidRequest([{ pointer: "/nit", detail: "is not the nit of the user with that id" }]);
}
