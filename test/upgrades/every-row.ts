import { expect } from "vitest";
import type { Sql } from "../../server/database/connect.ts";

/** A row by its columns. */
type Row = Readonly<Record<string, unknown>>;
/** Every row of every table of a schema, by table. */
export type EveryRow = ReadonlyMap<string, readonly Row[]>;

/** Columns that have another name now, by the one that they had. */
const RENAMED: Row = Object.freeze({ foreign_lenders: "foreign_debts" });

/** A table that is a view now: of its rows, under another name, and of what implies them. */
const NOW_A_VIEW = "transaction_statuses";

/** Reads every table of a schema; other views say again what tables hold. */
export async function everyRow(sql: Sql, schema: "service" | "broker"): Promise<EveryRow> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = ${schema} and (table_type = 'BASE TABLE' or table_name = ${NOW_A_VIEW}) order by table_name`;
  const rows = tables.map(async ({ name }): Promise<[string, Row[]]> => {
    return [name, [...(await sql`select * from ${sql(`${schema}.${name}`)} t order by t::text`)]];
  });
  return new Map(await Promise.all(rows));
}

/** Returns a table's rows as an earlier version knew them: without later columns, and under the names of then. */
function asKnown(rows: readonly Row[], known: readonly Row[]): Row[] {
  const columns = new Set(known.flatMap(Object.keys));
  return rows.map((row) =>
    Object.fromEntries([...columns].map((column) => [column, row[String(RENAMED[column] ?? column)]])),
  );
}

/** Expects that every table had rows, and has the very same ones after an upgrade. */
export function expectKept(before: EveryRow, after: EveryRow): void {
  for (const [table, rows] of before) {
    expect([table, rows.length > 0]).toEqual([table, true]);
    const kept = asKnown(after.get(table) ?? [], rows);
    expect(kept).toHaveLength(rows.length);
    expect(kept).toEqual(expect.arrayContaining([...rows]));
  }
}
