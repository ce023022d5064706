import { ApiError } from "../../../src/contract/errors.ts";
import type { ServiceContext } from "../service-context.ts";

/** Throws `user_not_found` for a list of a user that nobody knows: an empty list would say that there is one. */
export async function requireUser({ sql }: Pick<ServiceContext, "sql">, id: string): Promise<void> {
  const rows = await sql`select 1 from service.users where id = ${id}`;
  if (rows.length === 0) throw new ApiError("user_not_found", { detail: "There is no user with that user-id." });
}
