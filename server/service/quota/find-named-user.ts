import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Refusal } from "../../ledger/model/command.ts";
import { FAULTS_DETAIL, type ServiceContext } from "../shared/service-context.ts";
import { bareNit, findUser, type UserRecord } from "../users/find-user.ts";
import { type LookUpCall, lookUpUser } from "../users/look-up-user.ts";

/** The fields by which a request names a user: `id`, `nit` or both. */
export interface Who {
  readonly id?: string | undefined;
  readonly nit?: string | undefined;
}

/**
 * Builds the refusal `invalid_request` with the faults of a body. Callers post it to the ledger instead of throwing it,
 * so that an earlier answer under the same idempotency key is repeated.
 */
export function invalidRequest(faults: readonly Fault[]): Refusal {
  return { code: "invalid_request", detail: FAULTS_DETAIL, faults };
}

/**
 * Finds the user that a request names by `id`, `nit` or both, or returns a refusal: `user_not_found`, or
 * `invalid_request` where the nit is not that of the user with the id. A nit could be guessed, so a search with one is
 * limited and recorded exactly as one by get-user, and throws `too_many_requests` past that limit.
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
