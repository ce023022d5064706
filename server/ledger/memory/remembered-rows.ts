/** A row with its version: no two changes leave the same one. */
export interface Versioned {
  readonly version: bigint;
}

/** Keys of rows, and the version that each must have. */
export interface Expected {
  readonly keys: readonly string[];
  readonly versions: readonly bigint[];
}

/** Rows of one kind by their key, as a writer remembers them. It notes which of them a decision reads. */
export class RememberedRows<Row extends Versioned> extends Map<string, Row> {
  readonly #read = new Set<string>();

  override get(key: string): Row | undefined {
    const row = super.get(key);
    if (row !== undefined) this.#read.add(key);
    return row;
  }

  forget(keys: Iterable<string>): void {
    for (const key of keys) this.delete(key);
  }

  /** Reads a row without noting it. */
  peek(key: string): Row | undefined {
    return super.get(key);
  }

  /** Forgets which rows were read, before the next decision. */
  reread(): void {
    this.#read.clear();
  }

  /** The rows that the decision read, in the order of their keys, with the versions that they are remembered by now. */
  expected(): Expected {
    const read = [...this.#read].sort();
    return { keys: read, versions: read.map((key) => super.get(key)?.version ?? -1n) };
  }
}
