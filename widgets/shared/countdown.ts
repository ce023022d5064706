import type { Platform } from "./platform.ts";

/** Callbacks of a countdown. */
export interface CountdownListener {
  /** The number of whole seconds left has changed. */
  readonly tick: () => void;
  /** One of the given marks was passed; receives the seconds that are left now. */
  readonly mark: (secondsLeft: number) => void;
  /** The time is up; called once for each deadline. */
  readonly end: () => void;
}

/** The server counts in whole seconds, so that two of its answers differ by up to one without meaning anything. */
const SAME_DEADLINE_MS = 1_000;

/** Counts down to a deadline on a monotonic clock, because the local time may be wrong or be set meanwhile. */
export class Countdown {
  readonly #platform: Platform;
  readonly #marks: readonly number[];
  readonly #listener: CountdownListener;
  #deadline: number | undefined;
  /** The marks that have not been passed; 0 is the end. */
  #marksLeft: readonly number[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(platform: Platform, marks: readonly number[], listener: CountdownListener) {
    this.#platform = platform;
    this.#marks = marks;
    this.#listener = listener;
  }

  /** Whole seconds left, rounded up; `undefined` before the first deadline. */
  get secondsLeft(): number | undefined {
    if (this.#deadline === undefined) return undefined;
    return Math.max(0, Math.ceil((this.#deadline - this.#platform.now()) / 1000));
  }

  /** Counts to `seconds` after the moment `since`; a deadline that is the same within a second stays as it is. */
  countTo(since: number, seconds: number): void {
    const deadline = since + seconds * 1000;
    const drift = this.#deadline === undefined ? Number.POSITIVE_INFINITY : Math.abs(deadline - this.#deadline);
    if (drift > SAME_DEADLINE_MS) this.#setDeadline(deadline);
    this.resume();
  }

  /** Resumes after {@link pause}, and reports at once a mark or the end that passed meanwhile. */
  resume(): void {
    this.#cancelTimer?.();
    const left = this.secondsLeft;
    if (this.#deadline === undefined || left === undefined) return;
    this.#listener.tick();
    this.#tellMark(left);
    if (left === 0) return;
    const untilNextSecond = this.#deadline - (left - 1) * 1000 - this.#platform.now();
    this.#cancelTimer = this.#platform.after(untilNextSecond, () => this.resume());
  }

  /** Stops ticking and keeps the deadline. */
  pause(): void {
    this.#cancelTimer?.();
  }

  /** Clears the deadline. */
  clear(): void {
    this.#cancelTimer?.();
    this.#deadline = undefined;
  }

  /** Sets the deadline; a mark is never reported twice, also when the server moves the deadline. */
  #setDeadline(deadline: number): void {
    const untold = this.#deadline === undefined ? this.#marks : this.#marksLeft;
    this.#deadline = deadline;
    this.#marksLeft = [...untold.filter((mark) => mark > 0 && mark < (this.secondsLeft ?? 0)), 0];
  }

  /** Of several marks that were passed in one step (the page slept), one announcement of what is left now is enough. */
  #tellMark(left: number): void {
    const coming = this.#marksLeft.filter((mark) => mark < left);
    const passed = coming.length < this.#marksLeft.length;
    this.#marksLeft = coming;
    if (passed && left > 0) this.#listener.mark(left);
    else if (passed) this.#listener.end();
  }
}
