import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { ServiceContext } from "./service-context.ts";

/**
 * Throws `user_not_found` for a list of an unknown user: an empty list would imply that there is one. Returns the
 * user's creator, which sees all of the list.
 */
export async function requireUser({ sql }: Pick<ServiceContext, "sql">, id: string): Promise<{ creatorId: string }> {
  const [user] = await sql<{ creatorId: string }[]>`
    select creator_id as "creatorId" from service.users where id = ${id}`;
  if (user === undefined) throw new ApiError("user_not_found", { detail: "There is no user with that user-id." });
  return user;
}
