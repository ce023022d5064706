/** Weight of each commit relative to the next one: some ten commits make the estimate. */
const KEPT = 0.9;

/**
 * Estimates how long a commit takes by its size, and how long the current one still takes: from a line through size and
 * duration of the recent commits, in which each counts less than the one after it.
 */
export class CommitDurationEstimate {
  readonly #longestMs: number;
  #weight = 0;
  #size = 0;
  #ms = 0;
  #sizeSize = 0;
  #sizeMs = 0;
  #current: { readonly size: number; readonly begunAt: number } | undefined;

  /** Caps the counted duration of a commit, so that one that hangs does not dominate the estimate of those after it. */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  begin(size: number, at: number): void {
    this.#current = { size, begunAt: at };
  }

  end(at: number): void {
    if (this.#current === undefined) return;
    const { size, begunAt } = this.#current;
    const ms = Math.min(at - begunAt, this.#longestMs);
    this.#current = undefined;
    this.#weight = this.#weight * KEPT + 1;
    this.#size = this.#size * KEPT + size;
    this.#ms = this.#ms * KEPT + ms;
    this.#sizeSize = this.#sizeSize * KEPT + size * size;
    this.#sizeMs = this.#sizeMs * KEPT + size * ms;
  }

  /** How long a commit of that size takes; 0 as long as none was seen. */
  msOf(size: number): number {
    if (this.#weight === 0) return 0;
    const [meanSize, meanMs] = [this.#size / this.#weight, this.#ms / this.#weight];
    const variance = this.#sizeSize / this.#weight - meanSize ** 2;
    const covariance = this.#sizeMs / this.#weight - meanSize * meanMs;
    // Commits of one size do not show how much the size matters: then it is assumed not to.
    const slope = variance < 1 ? 0 : Math.min(Math.max(0, covariance / variance), meanMs / meanSize);
    return meanMs + slope * (size - meanSize);
  }

  /** Estimates the remaining time of the current commit. One that is overdue is assumed to take as long again. */
  leftMs(at: number): number {
    if (this.#current === undefined) return 0;
    const taken = at - this.#current.begunAt;
    const expected = this.msOf(this.#current.size);
    return expected > taken ? expected - taken : taken;
  }
}
