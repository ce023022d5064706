import type { Sql } from "../../database/connect.ts";
import { indexWalk } from "./index-scan.ts";

/** The payments or transfers to read: their table, side, user, its creator, and the viewer. */
interface Viewer {
  readonly table: "transactions" | "transfers";
  readonly column: "to_user_id" | "from_user_id";
  readonly userId: string;
  readonly creatorId: string;
  readonly viewerId: string;
}

/**
 * Builds the SQL condition that a payment or transfer reached its receiver: it moved money, or held some. Another
 * entity could make any number of others without having a balance, so the receiver's creator does not see those.
 */
export function reachedReceiver(sql: Sql, table: Viewer["table"]) {
  return table === "transactions"
    ? sql`(posting_id is not null or held_amount is not null)`
    : sql`posting_id is not null`;
}

/**
 * Builds the SQL condition of those incoming payments or transfers of a user that the user's creator may see; each
 * index that a list scans has the same condition.
 */
export function seenByReceiver(sql: Sql, table: Viewer["table"]) {
  return sql`(from_creator_id = to_creator_id or ${reachedReceiver(sql, table)})`;
}

/**
 * Builds the condition and the orders of one side, sent or received, of a user's payments or transfers, as far as a
 * viewer may see them: all of it as the user's creator, and as another entity those between its own users and this
 * user, except those that never reached their receiver. Each has an index of its own, so that listing a busy user reads
 * nothing that the viewer may not see. The entity that makes a payment created its payer, so there is nothing else.
 */
export function visibleSide(sql: Sql, { table, column, userId, creatorId, viewerId }: Viewer) {
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
