/** The type of a value in a record by the PostgreSQL type of its column. */
interface ColumnValues {
  readonly bigint: bigint;
  readonly "bigint[]": readonly bigint[];
  readonly boolean: boolean;
  readonly bytea: Uint8Array;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly integer: number;
  readonly "integer[]": readonly number[];
  /** JSON text, stored as it came. */
  readonly json: string;
  readonly numeric: bigint;
  readonly smallint: number;
  readonly text: string;
  readonly timestamptz: Date;
  readonly uuid: string;
}

type ColumnType = keyof ColumnValues;

/**
 * The declared columns of a table: PostgreSQL types, keyed by the properties of its records. A column's name is its
 * property in snake case.
 */
export type Columns = Readonly<Record<string, ColumnType | `${ColumnType} null`>>;

/** A table of the schema `service`, and the columns that the ledger reads and writes: all but some with a default. */
export interface Table {
  readonly name: string;
  /** The primary key. */
  readonly key: Columns;
  /** Columns that are written once. */
  readonly fixed?: Columns;
  /** Columns that an update writes. */
  readonly changing?: Columns;
}

type ValueOf<C> = C extends `${infer T extends ColumnType} null`
  ? ColumnValues[T] | null
  : ColumnValues[C & ColumnType];
type Part<T, P extends string> = T extends { readonly [K in P]: infer C extends Columns } ? C : unknown;
type ColumnsOf<T extends Table> = T["key"] & Part<T, "fixed"> & Part<T, "changing">;

/** The type of a table's records: a property for each column, null where the column may be. */
export type RecordOf<T extends Table> = { readonly [P in keyof ColumnsOf<T>]: ValueOf<ColumnsOf<T>[P]> };

/** One column of a table, and the property of its records that holds its value. */
export interface Column {
  readonly property: string;
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
}

/** The name of a property in snake case. */
export function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Lists declared columns, with their names in PostgreSQL, in the order of the declaration. */
export function columnsIn(columns: Columns): readonly Column[] {
  return Object.entries(columns).map(([property, declared]) => ({
    property,
    name: snakeCase(property),
    type: declared.replace(" null", "") as ColumnType,
    isNullable: declared.endsWith(" null"),
  }));
}
