/**
 * The codes found by several attempts at one picture: those of all attempts that found a wanted one, else those of the
 * first that found any. Beside a payment code there may be others, which are often larger and sharper.
 */
export class Findings {
  readonly #isWanted: (text: string) => boolean;
  #texts: readonly string[] = [];
  #hasWanted = false;

  constructor(isWanted: (text: string) => boolean) {
    this.#isWanted = isWanted;
  }

  /** The texts found so far, each once. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** True once a wanted one is among them. */
  get hasWanted(): boolean {
    return this.#hasWanted;
  }

  /** Takes the texts that an attempt found; true once a wanted one is among them, so that no other is needed. */
  add(texts: readonly string[]): boolean {
    if (texts.some(this.#isWanted)) {
      this.#texts = [...new Set(this.#hasWanted ? [...this.#texts, ...texts] : texts)];
      this.#hasWanted = true;
    } else if (this.#texts.length === 0) this.#texts = texts;
    return this.#hasWanted;
  }
}
