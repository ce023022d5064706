/** Weight of each commit relative to the next one: some ten commits make the estimate. */
const KEPT = 0.9;
/** A commit is late once it has taken so many times what it should, and some milliseconds. */
const LATE_FACTOR = 2;
const LATE_MS = 10;

/** A commit that is timed. */
export interface TimedCommit {
  readonly size: number;
  readonly begunAt: number;
}

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
  /** The commits under way, the oldest first. */
  readonly #underWay: TimedCommit[] = [];
  #endedAt = 0;

  /** Caps the counted duration of a commit, so that one that hangs does not dominate the estimate of those after it. */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** The sizes of the commits under way, together. */
  get sizeUnderWay(): number {
    return this.#underWay.reduce((sum, { size }) => sum + size, 0);
  }

  /** Begins a commit. */
  begin(size: number, at: number): TimedCommit {
    const timed = { size, begunAt: at };
    this.#underWay.push(timed);
    return timed;
  }

  /** Ends a commit. It counts from when the one before it ended: that is what the next ones wait for. */
  end(ended: TimedCommit, at: number): void {
    const place = this.#underWay.indexOf(ended);
    if (place >= 0) this.#underWay.splice(place, 1);
    const { size } = ended;
    const ms = Math.min(this.#takenMs(ended, at), this.#longestMs);
    this.#endedAt = at;
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

  /** True while the oldest commit takes so much longer than such commits do that it may hang. */
  isLate(at: number): boolean {
    const [oldest] = this.#underWay;
    return oldest !== undefined && this.#takenMs(oldest, at) > LATE_FACTOR * this.msOf(oldest.size) + LATE_MS;
  }

  #takenMs({ begunAt }: TimedCommit, at: number): number {
    return at - Math.max(begunAt, this.#endedAt);
  }

  /** Estimates when all that is under way is done. A commit that is overdue is assumed to take as long again. */
  leftMs(at: number): number {
    const [oldest, ...others] = this.#underWay;
    if (oldest === undefined) return 0;
    const taken = this.#takenMs(oldest, at);
    const expected = this.msOf(oldest.size);
    const left = expected > taken ? expected - taken : taken;
    return others.reduce((sum, { size }) => sum + this.msOf(size), left);
  }
}
