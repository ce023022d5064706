import type { Tx } from "../../database/connect.ts";

/** Minor units travel as text, which PostgreSQL reads as the number that it is. */
type Cell = string | number | boolean | Date | null | readonly (string | number)[];
/** A row by its columns. */
export type Row = Readonly<Record<string, Cell>>;

/**
 * The json columns. Their content travels as a text within the rows' JSON and is cast where it arrives: so not a byte
 * of the caller's data changes, and escapes that PostgreSQL's own reading refuses (`\\u0000`, `\\ud800`) pass unread.
 */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  "answer",
  "body",
  "details",
  "imported_history",
  "payment_data",
  "qr_details",
]);

/** A row of a table that is updated. */
export type IdRow = Row & { readonly id: string };

/** Minor units as a row carries them. */
export function digits(minor: bigint | null): string | null {
  return minor === null ? null : minor.toString();
}

/** Rows as one JSON text: one parameter, whatever their number. */
export function recordset(rows: readonly Row[]): string {
  return JSON.stringify(rows);
}

/** Inserts rows that have the same columns, in one statement; none without rows. */
export function insert(tx: Tx, table: string, rows: readonly Row[]): Promise<unknown>[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  const name = tx(`service.${table}`);
  const values = columns.map((column) =>
    JSON_COLUMNS.has(column) ? tx`(${tx(column)} #>> '{}')::json` : tx`${tx(column)}`,
  );
  const list = values.flatMap((value, index) => (index === 0 ? [value] : [tx`, `, value]));
  return [
    tx`insert into ${name} (${tx(columns)})
      select ${list} from json_populate_recordset(null::${name}, ${recordset(rows)}::text::json)`,
  ];
}

/** Updates rows that have the same columns by their id, in one statement; none without rows. */
export function update(tx: Tx, table: string, rows: readonly IdRow[]): Promise<unknown>[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first).filter((column) => column !== "id");
  const name = tx(`service.${table}`);
  const settings = columns.map((column) =>
    JSON_COLUMNS.has(column)
      ? tx`${tx(column)} = (r.${tx(column)} #>> '{}')::json`
      : tx`${tx(column)} = r.${tx(column)}`,
  );
  const list = settings.flatMap((setting, index) => (index === 0 ? [setting] : [tx`, `, setting]));
  return [
    tx`update ${name} t set ${list}
      from json_populate_recordset(null::${name}, ${recordset(rows)}::text::json) r where t.id = r.id`,
  ];
}
