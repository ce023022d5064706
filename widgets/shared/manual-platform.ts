import type { Platform } from "./platform.ts";

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

/** A platform whose clock a test moves by hand, so that rules about minutes are checked in milliseconds. */
export class ManualPlatform implements Platform {
  chance = 0.5;
  readonly reported: unknown[] = [];
  readonly #timers = new Set<Timer>();
  readonly #turnListeners = new Set<() => void>();
  #now = 1_000;
  #visible = true;

  now(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): () => void {
    const timer = { at: this.#now + delayMs, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  random(): number {
    return this.chance;
  }

  isVisible(): boolean {
    return this.#visible;
  }

  onResume(listener: () => void): () => void {
    this.#turnListeners.add(listener);
    return () => this.#turnListeners.delete(listener);
  }

  readonly report = (error: unknown): void => {
    this.reported.push(error);
  };

  /** Number of active timers and listeners. */
  get held(): number {
    return this.#timers.size + this.#turnListeners.size;
  }

  /** Advances the clock, and runs due timers in order, with the promises that wait for them. */
  async pass(durationMs: number): Promise<void> {
    await settle();
    const end = this.#now + durationMs;
    for (let due = this.#nextBy(end); due !== undefined; due = this.#nextBy(end)) {
      this.#timers.delete(due);
      this.#now = due.at;
      due.task();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  /** Advances the clock as while the machine sleeps: no timer runs until it wakes. */
  sleep(durationMs: number): void {
    this.#now += durationMs;
  }

  /** Hides the page, or shows it again. */
  async show(visible: boolean): Promise<void> {
    this.#visible = visible;
    for (const listener of [...this.#turnListeners]) listener();
    await settle();
  }

  #nextBy(end: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.at <= end);
    return due.sort((left, right) => left.at - right.at)[0];
  }
}

/** Lets every promise that can settle do so. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
