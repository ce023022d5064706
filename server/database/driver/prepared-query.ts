import { type FieldDef, Query } from "pg";
import { parserOf } from "./column-parsers.ts";

/** The rows of an answer, how many rows its statement found or changed, and what PostgreSQL did. */
export interface Answer {
  readonly rows: unknown[];
  readonly rowCount: number | null;
  readonly command: string;
}

/** A statement that a connection prepares. Its columns are asked for once, and known from then on. */
export interface Prepared {
  /** Undefined where the connection does not keep it. */
  readonly name: string | undefined;
  readonly text: string;
  /** The type number of each parameter; 0 leaves it to PostgreSQL. */
  readonly types: readonly number[];
  columns: readonly Column[] | undefined;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

type Values = readonly (string | Buffer | null)[];
type Callback = (error: Error | undefined, answer: Answer) => void;

/** The messages that a query sends. */
interface Wire {
  bind(message: { readonly statement: string | undefined; readonly values: Values }): void;
  execute(message: object): void;
  sync(): void;
}

/** The client library's query, with the parts that it shares with its own cursors and its types leave out. */
const WireQuery = Query as unknown as new (
  text: string,
  callback: Callback,
) => {
  readonly callback: Callback;
  name: string | undefined;
  values: Values;
  queryMode: string;
  prepare(wire: Wire): void;
  hasBeenParsed(wire: Wire): boolean;
};

const TAG = /^(\w+)(?:.* (\d+))?$/;

/** Runs a prepared statement. That of the library has each of its columns described again by every answer. */
export class PreparedQuery extends WireQuery {
  /** The types of the parameters, which the library sends when it prepares. */
  readonly types: readonly number[];
  readonly #statement: Prepared;
  readonly #rows: unknown[] = [];
  #tag = "";

  constructor(statement: Prepared, values: Values, callback: Callback) {
    super(statement.text, callback);
    this.name = statement.name;
    this.values = values;
    this.queryMode = "extended";
    this.types = statement.types;
    this.#statement = statement;
  }

  override prepare(wire: Wire): void {
    const { name, columns } = this.#statement;
    if (columns === undefined || !this.hasBeenParsed(wire)) super.prepare(wire);
    else {
      wire.bind({ statement: name, values: this.values });
      wire.execute({});
      wire.sync();
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#statement.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { columns = [] } = this.#statement;
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const { name, parse } of columns) {
      const text = fields[index++] ?? null;
      row[name] = text === null ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text;
  }

  handleReadyForQuery(): void {
    // A statement without an answer of rows is never described.
    this.#statement.columns ??= [];
    const [, command = "", count] = TAG.exec(this.#tag) ?? [];
    this.callback(undefined, { rows: this.#rows, rowCount: count === undefined ? null : Number(count), command });
  }
}
