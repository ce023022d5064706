import { ArrayParameter, CopiedRows, Identifier, List } from "./parts.ts";
import { type Mode, type Run, Statement } from "./statement.ts";

/** A row whose columns nobody has named. */
export interface Row {
  readonly [column: string]: unknown;
}

/** The rows of an answer, and how many rows the statement found or changed. */
export type Counted<Rows> = Rows & { readonly count: number };

/** A value of a column. */
export type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;

/** A value that may be put into a statement, or a part of one. */
type Parameter =
  | Scalar
  | readonly Scalar[]
  | ArrayParameter
  | Identifier
  | List
  | Statement<unknown>
  | readonly Statement<unknown>[];

/** Refuses a record with a property that is no value of a column. */
type Recordable<T> = { readonly [Name in keyof T]: T[Name] extends Parameter | undefined ? T[Name] : never };

/** Writes statements: a tagged template is one, or a part of one; a call makes names, values and records to put in. */
export interface Tag {
  <Rows extends readonly object[] = Row[]>(
    strings: TemplateStringsArray,
    ...parameters: readonly Parameter[]
  ): Statement<Counted<Rows>>;
  (name: string): Identifier;
  (namesOrValues: readonly Scalar[]): List;
  <T extends object>(records: readonly (T & Recordable<T>)[]): List;
  <T extends object>(record: T & Recordable<T>): List;
  /** A statement of a text that the program made, with `$1` where its parameters go. */
  unsafe<Rows extends readonly unknown[] = Row[]>(
    text: string,
    parameters?: readonly Parameter[],
    options?: { readonly prepare?: boolean },
  ): Statement<Counted<Rows>>;
  /** A `copy … from stdin` and its rows, in the format that the text names. */
  copy(text: string, rows: Buffer): Statement<Counted<Row[]>>;
  /** An array that says of what type its elements are, for where PostgreSQL cannot tell. */
  array(values: readonly Scalar[]): ArrayParameter;
}

/** Makes what writes the statements that something runs. */
export function tagFor(run: Run): Tag {
  function tag(first: TemplateStringsArray | string | object, ...parameters: readonly unknown[]) {
    if (typeof first === "string") return new Identifier(first);
    if ("raw" in first) return new Statement(first as TemplateStringsArray, parameters, run);
    return new List(Array.isArray(first) ? first : [first]);
  }
  function unsafe(text: string, parameters: readonly unknown[] = [], { prepare = false } = {}) {
    const unprepared: Mode = parameters.length === 0 ? "script" : "once";
    return new Statement([text], parameters, run, prepare ? "kept" : unprepared);
  }
  const copy = (text: string, rows: Buffer) => new Statement([text], [new CopiedRows(rows)], run);
  const array = (values: readonly unknown[]) => new ArrayParameter(values);
  return Object.assign(tag, { unsafe, copy, array }) as Tag;
}
