/** The values in records of the columns of each PostgreSQL type. */
interface ColumnValues {
  readonly bigint: bigint;
  readonly boolean: boolean;
  readonly bytea: Uint8Array;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly integer: number;
  /** JSON text, stored as it came. */
  readonly json: string;
  readonly numeric: bigint;
  readonly smallint: number;
  readonly text: string;
  readonly timestamptz: Date;
  readonly uuid: string;
}

type ColumnType = keyof ColumnValues;

/** Columns by the properties of the records: each is named like its property, in snake case. */
export type Columns = Readonly<Record<string, ColumnType | `${ColumnType} null`>>;

/** A table of the schema `service` and its columns; those with a default may be left out. */
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

/** A row of a table as the ledger has it. */
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

/** Lists columns in the order in which they are declared. */
export function columnsIn(columns: Columns): readonly Column[] {
  return Object.entries(columns).map(([property, declared]) => ({
    property,
    name: snakeCase(property),
    type: declared.replace(" null", "") as ColumnType,
    isNullable: declared.endsWith(" null"),
  }));
}
