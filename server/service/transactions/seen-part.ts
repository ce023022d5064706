import type { Sql } from "../../database/connect.ts";
import { indexWalk } from "../index-walk.ts";

/** Whose payments or transfers are looked at, on which side, and by whom. */
interface Looking {
  readonly column: "to_user_id" | "from_user_id";
  readonly userId: string;
  readonly creatorId: string;
  readonly viewerId: string;
}

/**
 * What a viewer may see of a side of a user's payments: all of it as the user's creator, and as another entity what
 * passed between its own users and this one. Each has an index of its own, so that a stranger's look at a busy user
 * reads nothing that it may not see. Who makes a payment created its payer, so there is nothing else.
 */
export function seenPart(sql: Sql, { column, userId, creatorId, viewerId }: Looking) {
  if (viewerId === creatorId) return indexWalk(sql, { lead: column, value: userId, id: "id", ids: "descending" });
  const lead = column === "to_user_id" ? "from_creator_id" : "to_creator_id";
  const { condition, ...orders } = indexWalk(sql, { lead, value: viewerId, id: "id", ids: "descending" });
  return {
    condition: sql`${condition} and ${sql(column)} = ${userId} and from_creator_id <> to_creator_id`,
    ...orders,
  };
}
