import type { Sql, Tx } from "../../database/connect.ts";
import { type Column, type Columns, columnsIn, type RecordOf, type Table } from "../model/columns.ts";

/** A property of a record, and the JSON before its value in a row. */
interface Cell {
  readonly property: string;
  readonly opening: string;
}

/** The columns of a table, and the statements that write it: each has the JSON of its rows as the one parameter. */
interface Statements {
  readonly columns: readonly Column[];
  readonly insert: string;
  readonly insertMissing: string;
  readonly inserted: readonly Cell[];
  readonly update: string;
  readonly updated: readonly Cell[];
}

/**
 * A column of a sent row. The content of a json column travels as a text within the rows' JSON and is cast where it
 * arrives: so not a byte of the caller's data changes, and escapes that PostgreSQL's own reading refuses (`\\u0000`,
 * `\\ud800`) pass unread.
 */
function sentValue({ name, type }: Column): string {
  return type === "json" ? `(r.${name} #>> '{}')::json` : `r.${name}`;
}

function cellsOf(columns: Columns): readonly Cell[] {
  return columnsIn(columns).map(({ property, name }, index) => ({
    property,
    opening: `${index === 0 ? "{" : ","}"${name}":`,
  }));
}

function buildStatements({ name: table, key, fixed, changing = {} }: Table): Statements {
  const all = { ...key, ...fixed, ...changing };
  const columns = columnsIn(all);
  const keys = columnsIn(key).map(({ name }) => name);
  const rows = `from json_populate_recordset(null::service.${table}, $1::text::json) r`;
  const names = columns.map(({ name }) => name);
  const insert = `insert into service.${table} (${names}) select ${columns.map(sentValue)} ${rows}`;
  const settings = columnsIn(changing).map((column) => `${column.name} = ${sentValue(column)}`);
  const sameKey = keys.map((name) => `t.${name} = r.${name}`).join(" and ");
  return {
    columns,
    insert,
    insertMissing: `${insert} on conflict (${keys}) do nothing`,
    inserted: cellsOf(all),
    update: `update service.${table} t set ${settings} ${rows} where ${sameKey}`,
    updated: cellsOf({ ...key, ...changing }),
  };
}

/** Statements by their table, built once: for few rows their text would cost more than the rows. */
const built = new WeakMap<Table, Statements>();

function statementsOf(table: Table): Statements {
  const known = built.get(table) ?? buildStatements(table);
  built.set(table, known);
  return known;
}

/** A value as JSON. Minor units travel as text, which PostgreSQL reads as the number that it is. */
function jsonOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `"${value}"`;
  if (value instanceof Date) return `"${value.toISOString()}"`;
  return value instanceof Uint8Array ? `"\\\\x${Buffer.from(value).toString("hex")}"` : String(value);
}

/** Records as one JSON text, written at once: an object of each row would take half as long again. */
function rowsOf(cells: readonly Cell[], records: readonly object[]): string {
  let text = "";
  for (const record of records) {
    text += text === "" ? "[" : "},";
    for (const { property, opening } of cells) text += opening + jsonOf(record[property as keyof object]);
  }
  return `${text}}]`;
}

/** The columns of a table for a select, named as its records name them, but for those that are not wanted. */
export function columnsOf<T extends Table>(sql: Sql | Tx, table: T, without: readonly (keyof RecordOf<T>)[] = []) {
  const unwanted = new Set<PropertyKey>(without);
  const columns = statementsOf(table).columns.filter(({ property }) => !unwanted.has(property));
  return sql.unsafe(columns.map(({ name, property }) => `${name} as "${property}"`).join(", "));
}

/** Inserts records in one statement; none without records. A row that exists already is a fault, unless it is kept. */
export function insert<T extends Table>(
  sql: Sql | Tx,
  table: T,
  records: readonly RecordOf<T>[],
  { keepsExisting = false } = {},
): Promise<unknown>[] {
  if (records.length === 0) return [];
  const { inserted, ...statements } = statementsOf(table);
  const statement = keepsExisting ? statements.insertMissing : statements.insert;
  return [sql.unsafe(statement, [rowsOf(inserted, records)], { prepare: true })];
}

/** Updates the changing columns of records in one statement; none without records. */
export function update<T extends Table & { readonly changing: Columns }>(
  tx: Tx,
  table: T,
  records: readonly RecordOf<T>[],
): Promise<unknown>[] {
  if (records.length === 0) return [];
  const { update: statement, updated } = statementsOf(table);
  return [tx.unsafe(statement, [rowsOf(updated, records)], { prepare: true })];
}
