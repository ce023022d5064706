import type { ChangeStream } from "./change-stream.ts";
import type { Platform } from "./platform.ts";

/** Result of one poll that decides when to poll next. */
export interface PollOutcome {
  /** Something happened, so that more may happen soon. */
  readonly changed: boolean;
  /** Minimum delay that the server asked for, in milliseconds; 0 if it asked for none. */
  readonly retryAfterMs: number;
}

/** One poll of the server: ends soon after `signal` aborts, and reports failure as an outcome, never by throwing. */
export type Poll = (signal: AbortSignal, fresh: boolean) => Promise<PollOutcome>;

/** Shortest and longest delay between two polls; each delay varies at random by up to a fifth. */
export interface Pace {
  readonly shortestMs: number;
  readonly longestMs: number;
}

/** For a payment, which somebody is waiting for. */
const FAST_PACE: Pace = { shortestMs: 2_000, longestMs: 10_000 };
const GROWTH = 1.25;

/** Most people scan and confirm within this, and want to see it at once; for the others, polling less often will do. */
const FAST_MS = 120_000;

/** Waking brings several events together; one request that has just started serves them all. */
const JUST_STARTED_MS = 1_000;

/**
 * Polls with one request in flight: for a payment after 2 s growing to 10 s with jitter, never while the page is
 * hidden. Hints only bring a poll forward: of several broker processes, one is not notified of what another settles.
 */
export class Poller {
  readonly #platform: Platform;
  readonly #poll: Poll;
  readonly #hints: ChangeStream | undefined;
  #cancelTimer: (() => void) | undefined;
  /** Aborts the request in flight. */
  #request: AbortController | undefined;
  #startedAt = 0;
  #running = false;
  readonly #pace: Pace;
  #delayMs: number;
  #fastUntil = 0;

  constructor(platform: Platform, poll: Poll, pace = FAST_PACE, hintsFor?: (hinted: () => void) => ChangeStream) {
    this.#platform = platform;
    this.#poll = poll;
    this.#pace = pace;
    this.#delayMs = pace.shortestMs;
    // A request in flight may have been answered before the change.
    this.#hints = hintsFor?.(() => this.#lookUnless(0));
  }

  /** Starts, with a first poll at once; does nothing while it polls already. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.pollNow();
  }

  /** Stops: no timer and no request remains. */
  stop(): void {
    this.#running = false;
    this.#hints?.close();
    this.#cancelTimer?.();
    this.#request?.abort();
    this.#request = undefined;
  }

  /**
   * Polls without waiting, and past any cached answer; aborts an earlier request that hangs, and the stream, which may
   * have died unnoticed. On a hidden page it only closes the stream.
   */
  pollNow(): void {
    this.#hints?.close();
    this.#lookUnless(JUST_STARTED_MS);
  }

  /** Polls at once, unless the request in flight is younger than that. */
  #lookUnless(youngMs: number): void {
    if (!this.#running || !this.#platform.isVisible()) return;
    this.#beBrisk();
    if (this.#request && this.#platform.now() - this.#startedAt < youngMs) return;
    this.#request?.abort();
    this.#look(true);
  }

  #look(fresh: boolean): void {
    this.#lookOnce(fresh).catch(this.#platform.report);
  }

  async #lookOnce(fresh: boolean): Promise<void> {
    this.#cancelTimer?.();
    const request = new AbortController();
    this.#request = request;
    this.#startedAt = this.#platform.now();
    // One that throws all the same is no reason to stop polling.
    const outcome = await this.#poll(request.signal, fresh).catch(this.#platform.report);
    if (this.#request !== request) return;
    this.#request = undefined;
    if (outcome?.changed) this.#beBrisk();
    this.#schedule(outcome?.retryAfterMs ?? 0);
    await this.#hints?.listen();
  }

  #schedule(retryAfterMs: number): void {
    const platform = this.#platform;
    const { longestMs } = this.#pace;
    if (platform.now() >= this.#fastUntil) this.#delayMs = Math.min(this.#delayMs * GROWTH, longestMs);
    const delayMs = Math.min(this.#delayMs * (0.8 + 0.4 * platform.random()), longestMs);
    this.#cancelTimer = platform.after(Math.max(delayMs, retryAfterMs), () => {
      // A hidden page sends no request; showing it calls pollNow.
      if (platform.isVisible()) this.#look(false);
    });
  }

  #beBrisk(): void {
    this.#delayMs = this.#pace.shortestMs;
    this.#fastUntil = this.#platform.now() + FAST_MS;
  }
}
