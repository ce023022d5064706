import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { ReadContext } from "../shared/service-context.ts";

/** Throws unless the entity created the user: `user_not_found`, `user_not_yours`. */
export async function requireOwnUser({ sql }: ReadContext, userId: string, entityId: string): Promise<void> {
  const [user] = await sql<{ creatorId: string }[]>`
    select creator_id as "creatorId" from service.users where id = ${userId}`;
  if (user === undefined) throw new ApiError("user_not_found", { detail: "There is no user with that id." });
  if (user.creatorId === entityId) return;
  throw new ApiError("user_not_yours", { detail: "The account is in the books of the entity that created the user." });
}
