import { ApiError } from "../../../src/contract/shared/errors.ts";
import { refuseFaults, type ServiceContext } from "../shared/service-context.ts";

/**
 * Finds another entity by its id. Throws `entity_not_found` where there is none, and `invalid_request` for the caller's
 * own, with the fault at `pointer`.
 */
export async function findCounterparty(
  { sql }: Pick<ServiceContext, "sql">,
  { id, entityId, pointer }: { readonly id: string; readonly entityId: string; readonly pointer: string },
): Promise<{ readonly id: string; readonly name: string }> {
  const isOwn = id.toLowerCase() === entityId;
  refuseFaults(isOwn ? [{ pointer, detail: "must be another entity's, not your own" }] : []);
  const [found] = await sql<{ id: string; name: string }[]>`select id, name from service.entities where id = ${id}`;
  if (found !== undefined) return found;
  throw new ApiError("entity_not_found", { detail: "There is no entity with that id." });
}
