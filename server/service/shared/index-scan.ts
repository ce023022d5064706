import type { Sql, SqlPart } from "../../database/connect.ts";

/** The leading column of an index, its value, and the column that orders the rows of that value. */
interface Walked {
  readonly lead: string;
  readonly value: string;
  /** Default: uuid. */
  readonly type?: "uuid" | "text";
  readonly id: string;
  /** The index's order of ids; an index is scanned either way, but all of its columns reverse together. */
  readonly ids: "ascending" | "descending";
}

/**
 * Builds the condition and the orders that make a list scan the one index meant for it and stop at its limit, whatever
 * the planner estimates. For `lead = value order by id` it may instead scan every row by id and skip those of all
 * others: fast for a user with most of the latest rows, and endless for one with most of the older ones. With `any` the
 * planner keeps the column in the sort order, and only the index has that order. Columns between the two are compared
 * by `=`.
 */
export function indexWalk(sql: Sql, { lead, value, type = "uuid", id, ids }: Walked) {
  const [newest, oldest] = ids === "descending" ? [sql``, sql`desc`] : [sql`desc`, sql``];
  return {
    // Written as an array of one element: for an array parameter, a generic plan expects ten.
    condition: sql`${sql(lead)} = any(array[${value}]::${type === "uuid" ? sql`uuid` : sql`text`}[])`,
    newestFirst: sql`order by ${sql(lead)} ${newest}, ${sql(id)} desc`,
    oldestFirst: sql`order by ${sql(lead)} ${oldest}, ${sql(id)}`,
  };
}

/**
 * Wraps a condition so that the planner expects half of all rows to meet it. It would otherwise multiply selectivities
 * over all users, and read and sort the whole history of a user for whom it expects less than a page.
 */
export function withoutSelectivity(sql: Sql, condition: SqlPart) {
  return sql`coalesce(${condition}, false)`;
}
