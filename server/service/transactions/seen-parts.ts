import type { Sql } from "../../database/connect.ts";

/** Whose payments or transfers are looked at, on which side, and by whom. */
interface Looking {
  readonly column: "to_user_id" | "from_user_id";
  readonly userId: string;
  readonly viewerId: string;
}

/**
 * Conditions that part what a viewer may see of a user's side into two: all of it for the user's creator, and for
 * another entity what passed between its own users and this one. Each is within one index, so that a stranger's look
 * at a busy user reads nothing that it may not see. Who makes a payment created its payer, so there is nothing else.
 */
export function seenParts(sql: Sql, { column, userId, viewerId }: Looking) {
  const otherCreator = column === "to_user_id" ? "from_creator_id" : "to_creator_id";
  return [
    sql`(select creator_id from service.users where id = ${userId}) = ${viewerId}`,
    sql`${sql(otherCreator)} = ${viewerId} and from_creator_id <> to_creator_id`,
  ];
}
