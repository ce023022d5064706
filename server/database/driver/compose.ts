import { parameterType, sentParameter } from "./parameters.ts";
import { CopiedRows, Identifier, List, quoted } from "./parts.ts";
import { type Mode, Statement } from "./statement.ts";

/** A statement as it is sent. */
export interface Composed {
  readonly text: string;
  /** The type number of each parameter; 0 leaves it to PostgreSQL. */
  readonly types: readonly number[];
  readonly values: readonly (string | Buffer | null)[];
  /** The rows of a `copy … from stdin`. */
  readonly copied: Buffer | undefined;
  readonly mode: Mode;
}

/** The protocol counts parameters in two bytes. */
const MOST_PARAMETERS = 65_535;
const ENDS_WITH_IN = /\bin\s*$/i;
const ENDS_WITH_SET = /\bset\s*$/i;

/** Writes a statement with all its parts as one text with numbered parameters. */
export function compose(statement: Statement<unknown>): Composed {
  const composer = new Composer();
  composer.addStatement(statement);
  const { text, types, values, copied } = composer;
  if (values.length > MOST_PARAMETERS) throw new RangeError(`A statement has ${values.length} parameters: too many.`);
  return { text, types, values, copied, mode: statement.mode };
}

class Composer {
  text = "";
  readonly types: number[] = [];
  readonly values: (string | Buffer | null)[] = [];
  copied: Buffer | undefined;

  /** Parameters that have no place in the text, which names them by number itself, follow it. */
  addStatement({ strings, parameters }: Statement<unknown>): void {
    this.text += strings[0];
    for (const [index, parameter] of parameters.entries()) {
      const next = strings[index + 1];
      if (parameter instanceof CopiedRows) this.copied = parameter.bytes;
      else if (next === undefined) this.#addValue(parameter);
      else {
        this.#addPart(parameter);
        this.text += next;
      }
    }
  }

  #addPart(part: unknown): void {
    if (part instanceof Statement) this.addStatement(part);
    else if (part instanceof Identifier) this.text += part.text;
    else if (part instanceof List) this.#addList(part.items);
    else if (Array.isArray(part) && part[0] instanceof Statement) {
      for (const each of part) {
        this.text += " ";
        this.addStatement(each);
      }
    } else {
      this.#addValue(part);
      this.text += `$${this.values.length}`;
    }
  }

  /** After `in` its values, after `set` its one record; elsewhere its names or its records. */
  #addList(items: readonly unknown[]): void {
    if (ENDS_WITH_IN.test(this.text)) {
      if (items.length === 0) this.text += "(null)";
      else this.#addTuple(items);
    } else if (items.every((item) => typeof item === "string")) this.text += items.map(quoted).join();
    else this.#addRecords(items as readonly object[]);
  }

  #addRecords([first = {}, ...others]: readonly object[]): void {
    const columns = Object.keys(first);
    const valuesOf = (record: object): unknown[] => columns.map((column) => record[column as keyof object]);
    if (ENDS_WITH_SET.test(this.text)) {
      for (const [index, column] of columns.entries()) {
        this.text += `${index === 0 ? "" : ","}${quoted(column)}=`;
        this.#addPart(first[column as keyof object]);
      }
      return;
    }
    this.text += `(${columns.map(quoted)})values`;
    for (const [index, record] of [first, ...others].entries()) {
      if (index > 0) this.text += ",";
      this.#addTuple(valuesOf(record));
    }
  }

  #addTuple(parts: readonly unknown[]): void {
    for (const [index, part] of parts.entries()) {
      this.text += index === 0 ? "(" : ",";
      this.#addPart(part);
    }
    this.text += ")";
  }

  #addValue(value: unknown): void {
    this.types.push(parameterType(value));
    this.values.push(sentParameter(value));
  }
}
