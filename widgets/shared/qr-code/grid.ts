/** The modules of a code, and which of them belong to patterns and so carry no data. */
export class Grid {
  readonly size: number;
  readonly dark: Uint8Array;
  readonly #fixed: Uint8Array;

  constructor(size: number) {
    this.size = size;
    this.dark = new Uint8Array(size * size);
    this.#fixed = new Uint8Array(size * size);
  }

  /** 1 for a dark module, 0 for a light one. */
  get(row: number, column: number): number {
    return this.dark[row * this.size + column] ?? 0;
  }

  /** True if the module belongs to a pattern. */
  isFixed(row: number, column: number): boolean {
    return this.#fixed[row * this.size + column] === 1;
  }

  /** Sets a module that carries data. */
  set(row: number, column: number, dark: boolean | number): void {
    this.dark[row * this.size + column] = Number(dark);
  }

  /** Sets a module of a pattern; outside the code it does nothing, where the edge of a finder lies. */
  fix(row: number, column: number, dark: boolean | number): void {
    if (row < 0 || column < 0 || row >= this.size || column >= this.size) return;
    this.set(row, column, dark);
    this.#fixed[row * this.size + column] = 1;
  }
}
