import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
import { binaryRows } from "../../database/driver/binary-rows.ts";
import type { Scalar } from "../../database/driver/tag.ts";
import { type Column, type Columns, columnsIn, type RecordOf, type Table } from "../model/columns.ts";

/** The columns of a table, and the statements that write it. */
interface Statements {
  readonly columns: readonly Column[];
  /** Copies rows, for records that are all new. */
  readonly copy: string;
  /** Inserts records of which some may be there; takes an array per column. */
  readonly insertMissing: string;
  /** Updates records; takes an array per column, the key's first. */
  readonly update: string;
  readonly updated: readonly Column[];
}

function buildStatements({ name: table, key, fixed, changing = {} }: Table): Statements {
  const columns = columnsIn({ ...key, ...fixed, ...changing });
  const names = columns.map(({ name }) => name);
  const keys = columnsIn(key).map(({ name }) => name);
  const updated = columnsIn({ ...key, ...changing });
  const settings = columnsIn(changing).map(({ name }) => `${name} = r.${name}`);
  const sameKey = keys.map((name) => `t.${name} = r.${name}`).join(" and ");
  return {
    columns,
    copy: `copy service.${table} (${names}) from stdin (format binary)`,
    insertMissing: `insert into service.${table} (${names}) select ${names}
      from ${rowsOfArrays(columns)} on conflict (${keys}) do nothing`,
    update: `update service.${table} t set ${settings} from ${rowsOfArrays(updated)} where ${sameKey}`,
    updated,
  };
}

/** Rows of a statement whose parameters are an array per column. */
function rowsOfArrays(columns: readonly Column[]): string {
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  return `unnest(${arrays}) as r (${columns.map(({ name }) => name)})`;
}

/** Statements by their table, built once: for few rows their text would cost more than the rows. */
const built = new WeakMap<Table, Statements>();

function statementsOf(table: Table): Statements {
  const known = built.get(table) ?? buildStatements(table);
  built.set(table, known);
  return known;
}

/** The parameters of {@link rowsOfArrays}. A number that bigint may not hold travels as text. */
function arraysOf(columns: readonly Column[], records: readonly object[]): Scalar[][] {
  return columns.map(({ property, type }) => {
    const values = records.map((record): Scalar => record[property as keyof object]);
    return type === "numeric" ? values.map(String) : values;
  });
}

/** The columns of a table for a select, named as its records name them, but for those that are not wanted. */
export function columnsOf<T extends Table>(sql: Sql | Tx, table: T, without: readonly (keyof RecordOf<T>)[] = []) {
  const unwanted = new Set<PropertyKey>(without);
  const columns = statementsOf(table).columns.filter(({ property }) => !unwanted.has(property));
  return sql.unsafe(columns.map(({ name, property }) => `${name} as "${property}"`).join(", "));
}

/** Inserts new records in one statement; none without records. */
export function insert<T extends Table>(sql: Sql | Tx, table: T, records: readonly RecordOf<T>[]): SqlPart[] {
  if (records.length === 0) return [];
  const { copy, columns } = statementsOf(table);
  return [sql.copy(copy, binaryRows(columns, records))];
}

/** Inserts those records in one statement that are not there yet; none without records. */
export function insertMissing<T extends Table>(sql: Sql | Tx, table: T, records: readonly RecordOf<T>[]): SqlPart[] {
  if (records.length === 0) return [];
  const { insertMissing: statement, columns } = statementsOf(table);
  return [sql.unsafe(statement, arraysOf(columns, records), { prepare: true })];
}

/** Updates the changing columns of records in one statement; none without records. */
export function update<T extends Table & { readonly changing: Columns }>(
  tx: Tx,
  table: T,
  records: readonly RecordOf<T>[],
): SqlPart[] {
  if (records.length === 0) return [];
  const { update: statement, updated } = statementsOf(table);
  return [tx.unsafe(statement, arraysOf(updated, records), { prepare: true })];
}
