/**
 * The codes found by several attempts at one picture: those of the first attempt that found a wanted one, else those of
 * the first that found any. Beside a payment code there may be others, which are often larger and sharper.
 */
export class Findings {
  readonly #isWanted: (text: string) => boolean;
  #texts: readonly string[] = [];

  constructor(isWanted: (text: string) => boolean) {
    this.#isWanted = isWanted;
  }

  /** The texts found so far. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Takes the texts that an attempt found; true once a wanted one is among them, so that no other is needed. */
  add(texts: readonly string[]): boolean {
    const hasWanted = texts.some(this.#isWanted);
    if (hasWanted || this.#texts.length === 0) this.#texts = texts;
    return hasWanted;
  }
}
