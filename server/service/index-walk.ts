import type { Sql, SqlPart } from "../database/connect.ts";

/** The column that an index begins with, what it has to be, and the column that it orders those rows by. */
interface Walked {
  readonly lead: string;
  readonly value: string;
  /** Default: uuid. */
  readonly type?: "uuid" | "text";
  readonly id: string;
  /** Which way the index has the ids; an index is read either way, but all of its columns turn together. */
  readonly ids: "ascending" | "descending";
}

/**
 * Goes down the one index that a list is meant for and stops at its limit, whatever the planner believes of the rows.
 * For `lead = value order by id` it may as well go down every row by id, and pass by those of all others: quick for
 * who has most of the latest rows, and without end for who had most of the older ones. `any` leaves the column in the
 * order, as far as the planner knows, and only the index has that order. Columns between the two are compared by `=`.
 */
export function indexWalk(sql: Sql, { lead, value, type = "uuid", id, ids }: Walked) {
  const [newest, oldest] = ids === "descending" ? [sql``, sql`desc`] : [sql`desc`, sql``];
  return {
    // Spelt as an array of one: of a parameter that is an array, a plan for any values expects ten.
    condition: sql`${sql(lead)} = any(array[${value}]::${type === "uuid" ? sql`uuid` : sql`text`}[])`,
    newestFirst: sql`order by ${sql(lead)} ${newest}, ${sql(id)} desc`,
    oldestFirst: sql`order by ${sql(lead)} ${oldest}, ${sql(id)}`,
  };
}

/**
 * A condition of which the planner expects half of all rows. It would otherwise multiply shares that are those of all
 * users, and read and sort the whole history of one for whom the condition, as it believes, leaves less than a page.
 */
export function unforeseen(sql: Sql, condition: SqlPart) {
  return sql`coalesce(${condition}, false)`;
}
