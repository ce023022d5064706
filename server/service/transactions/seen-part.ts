import type { Sql } from "../../database/connect.ts";
import { indexWalk } from "../index-walk.ts";

/** Whose payments or transfers are looked at, on which side, and by whom. */
interface Looking {
  readonly table: "transactions" | "transfers";
  readonly column: "to_user_id" | "from_user_id";
  readonly userId: string;
  readonly creatorId: string;
  readonly viewerId: string;
}

/**
 * The condition that a payment or transfer reached its receiver: it moved money, or held some. Another entity could
 * make any number of others without having a balance, so the receiver's creator is told nothing of those.
 */
export function reachedReceiver(sql: Sql, table: Looking["table"]) {
  return table === "transactions"
    ? sql`(posting_id is not null or held_amount is not null)`
    : sql`posting_id is not null`;
}

/** The part of a user's incoming side that its creator may see; each index that a list goes down says the same. */
export function seenByReceiver(sql: Sql, table: Looking["table"]) {
  return sql`(from_creator_id = to_creator_id or ${reachedReceiver(sql, table)})`;
}

/**
 * What a viewer may see of a side of a user's payments: all of it as the user's creator, and as another entity what
 * passed between its own users and this one, but for what never reached its receiver. Each has an index of its own, so
 * that a look at a busy user reads nothing that the viewer may not see. Who makes a payment created its payer, so there
 * is nothing else.
 */
export function seenPart(sql: Sql, { table, column, userId, creatorId, viewerId }: Looking) {
  const isReceived = column === "to_user_id";
  if (viewerId === creatorId) {
    const { condition, ...orders } = indexWalk(sql, { lead: column, value: userId, id: "id", ids: "descending" });
    return { condition: isReceived ? sql`${condition} and ${seenByReceiver(sql, table)}` : condition, ...orders };
  }
  const lead = isReceived ? "from_creator_id" : "to_creator_id";
  const { condition, ...orders } = indexWalk(sql, { lead, value: viewerId, id: "id", ids: "descending" });
  const crossing = sql`${condition} and ${sql(column)} = ${userId} and from_creator_id <> to_creator_id`;
  return { condition: isReceived ? crossing : sql`${crossing} and ${reachedReceiver(sql, table)}`, ...orders };
}
