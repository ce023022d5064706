import { type FieldDef, Query } from "pg";
import { parserOf } from "./column-parsers.ts";

/** The rows of an answer, how many rows its statement found or changed, and what PostgreSQL did. */
export interface Answer {
  readonly rows: unknown[];
  readonly rowCount: number | null;
  readonly command: string;
}

/** A statement as a session knows it. */
export interface Prepared {
  /** Undefined where the connection does not keep it. */
  readonly name: string | undefined;
  readonly text: string;
  /** The type number of each parameter; 0 leaves it to PostgreSQL. */
  readonly types: readonly number[];
  /** True once PostgreSQL was told the text; in doubt after a failure, which may have come before or after. */
  isSent: boolean | "in doubt";
  /** Its columns: asked for with the text, and known from the first answer on. */
  columns: readonly Column[] | undefined;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** One statement of a group, and who hears of its answer. */
export interface Part {
  readonly prepared: Prepared;
  readonly values: readonly (string | Buffer | null)[];
  /** The rows of a `copy … from stdin`. */
  readonly copied: Buffer | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** The messages of the protocol that a group sends. */
interface Wire {
  close(message: { readonly type: "S"; readonly name: string }): void;
  parse(message: Pick<Prepared, "name" | "text" | "types">): void;
  bind(message: { readonly statement: string | undefined; readonly values: Part["values"] }): void;
  describe(message: { readonly type: "P"; readonly name: "" }): void;
  execute(message: object): void;
  sendCopyFromChunk(rows: Buffer): void;
  endCopyFrom(): void;
  sync(): void;
}

/** The client library's query: it takes no others into its pipeline. */
const WireQuery = Query as unknown as new (text: string) => object;

const TAG = /^(\w+)(?:.* (\d+))?$/;

/**
 * Prepared statements that travel together, up to one Sync (PostgreSQL: Extended Query, Pipelining): after the first
 * that fails none is run. The library's own queries have one statement each, and their columns described every time.
 */
export class StatementGroup extends WireQuery {
  readonly #parts: readonly Part[];
  readonly #takeDoubt: () => Error | undefined;
  readonly #answers: Answer[] = [];
  #rows: unknown[] = [];

  /** `takeDoubt` answers once why what the group committed, by its last statement, is not known to be so. */
  constructor(parts: readonly Part[], takeDoubt: () => Error | undefined) {
    super("");
    this.#parts = parts;
    this.#takeDoubt = takeDoubt;
  }

  /** True once every statement has its answer; what follows is the commit. */
  get isAnswered(): boolean {
    return this.#answers.length === this.#parts.length;
  }

  submit(wire: Wire): null {
    for (const { prepared, values, copied } of this.#parts) {
      const { name, isSent } = prepared;
      if (isSent !== true) {
        if (isSent === "in doubt" && name !== undefined) wire.close({ type: "S", name });
        wire.parse(prepared);
        prepared.isSent = name !== undefined;
      }
      wire.bind({ statement: name, values });
      if (isSent !== true) wire.describe({ type: "P", name: "" });
      wire.execute({});
      if (copied === undefined) continue;
      wire.sendCopyFromChunk(copied);
      wire.endCopyFrom();
    }
    wire.sync();
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    const { prepared } = this.#current;
    prepared.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { columns = [] } = this.#current.prepared;
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const { name, parse } of columns) {
      const text = fields[index++] ?? null;
      row[name] = text === null ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCopyInResponse(): void {
    // The rows are on their way already.
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    // A statement without an answer of rows is never described.
    this.#current.prepared.columns ??= [];
    const [, command = "", count] = TAG.exec(text) ?? [];
    this.#answers.push({ rows: this.#rows, rowCount: count === undefined ? null : Number(count), command });
    this.#rows = [];
  }

  /** Only now is an answer final: a statement outside of a transaction is committed after its tag. */
  handleReadyForQuery(): void {
    const doubt = this.#takeDoubt();
    for (const [index, { resolve, reject }] of this.#parts.entries()) {
      if (doubt !== undefined && index === this.#parts.length - 1) reject(doubt);
      else resolve(this.#answers[index] as Answer);
    }
  }

  /** After the tags of all, what failed is the commit of a statement outside of a transaction. */
  handleError(error: Error): void {
    this.#takeDoubt();
    const answered = this.#answers.length % this.#parts.length;
    for (const [index, { prepared, resolve, reject }] of this.#parts.entries()) {
      if (index < answered) resolve(this.#answers[index] as Answer);
      else {
        if (prepared.columns === undefined) prepared.isSent = "in doubt";
        reject(error);
      }
    }
  }

  get #current(): Part {
    return this.#parts[this.#answers.length] as Part;
  }
}
