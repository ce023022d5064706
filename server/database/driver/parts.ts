/** The name of a table or a column; a dot parts the names of a path. */
export class Identifier {
  readonly text: string;

  constructor(name: string) {
    this.text = quoted(name);
  }
}

/** Several names of columns; several records to insert, their columns named alike; after `in`, several values. */
export class List {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

/** An array that is told with the type of its elements. */
export class ArrayParameter {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}

/** The rows of a `copy … from stdin`, in the format that its text names. */
export class CopiedRows {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** A name as PostgreSQL takes it whatever its letters. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""').replaceAll(".", '"."')}"`;
}
