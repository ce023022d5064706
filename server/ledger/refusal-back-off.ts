/** So many refusals in a row, and a next one is likely. */
const LIKELY_AFTER = 3;
/** Most batches that are committed with locks before memory is tried again. */
const MOST_SKIPPED = 64;

/**
 * Decides which batches are tried on remembered rows. One that is refused is committed twice: where several are refused
 * in a row, because other processes write to the same rows or old requests are repeated, ever more are committed with
 * locks before the next try.
 */
export class RefusalBackOff {
  #inRow = 0;
  #toSkip = 0;

  /** True if the next batch is to be tried; each call counts one batch. */
  next(): boolean {
    if (this.#toSkip === 0) return true;
    this.#toSkip -= 1;
    return false;
  }

  succeed(): void {
    this.#inRow = 0;
  }

  fail(): void {
    this.#inRow += 1;
    if (this.#inRow >= LIKELY_AFTER) this.#toSkip = Math.min(2 ** this.#inRow, MOST_SKIPPED);
  }
}
