import type { PaySession } from "../../src/contract/broker/broker.ts";
import { createChangeStream } from "../shared/change-stream.ts";
import { Countdown } from "../shared/countdown.ts";
import type { Platform } from "../shared/platform.ts";
import { Poller, type PollOutcome } from "../shared/poller.ts";
import {
  openSessionHints,
  readSession,
  type SessionAnswer,
  SessionError,
  type SessionRequest,
  type StartedSession,
} from "../shared/session-client.ts";
import { isPaySession } from "./is-pay-session.ts";
import {
  INITIAL_STATE,
  isFinal,
  nextStep,
  type PayQrChange,
  type PayQrInput,
  type PayQrState,
} from "./pay-qr-state.ts";

/** Remaining seconds that are announced to people who do not see the countdown. */
const ANNOUNCED_SECONDS: readonly number[] = [180, 60, 30];

const NOTHING_NEW: PollOutcome = { changed: false, retryAfterMs: 0 };

/** Dependencies of {@link PaymentWatch}. */
export interface PaymentWatchOptions {
  readonly platform: Platform;
  /** Requests a session from the merchant; `undefined` until the page has given a source of sessions. */
  readonly startSession: (signal: AbortSignal) => Promise<StartedSession> | undefined;
  /** The broker of a session that names none. */
  readonly broker: () => string;
  /** Called once for each piece of news. */
  readonly tell: (news: PayQrChange, state: PayQrState) => void;
  /** Called when one of the announced numbers of seconds is left. */
  readonly announceTimeLeft: (seconds: number) => void;
  /** Called when shown data has changed. */
  readonly changed: () => void;
}

/** Follows one payment after another for an element: session, polling, countdown and state, without any rendering. */
export class PaymentWatch {
  readonly #options: PaymentWatchOptions;
  readonly #poller: Poller;
  readonly #countdown: Countdown;
  #state: PayQrState = INITIAL_STATE;
  #started: StartedSession | undefined;
  #starting: AbortController | undefined;
  #etag: string | undefined;
  #stopListening: (() => void) | undefined;

  constructor(options: PaymentWatchOptions) {
    this.#options = options;
    const openHints = (signal: AbortSignal) => openSessionHints({ ...this.#source, signal });
    this.#poller = new Poller(
      options.platform,
      (signal, fresh) => this.#poll(signal, fresh),
      undefined,
      (hinted) => createChangeStream(options.platform, openHints, hinted),
    );
    this.#countdown = new Countdown(options.platform, ANNOUNCED_SECONDS, {
      tick: options.changed,
      mark: options.announceTimeLeft,
      end: () => {
        this.#take({ kind: "time-up" });
        this.#poller.pollNow();
      },
    });
  }

  /** The current state. */
  get state(): PayQrState {
    return this.#state;
  }

  /** Whole seconds until the code expires; `undefined` before that is known. */
  get secondsLeft(): number | undefined {
    return this.#countdown.secondsLeft;
  }

  /** Starts, or resumes after {@link pause}. */
  resume(): void {
    if (this.#stopListening !== undefined) return;
    this.#stopListening = this.#options.platform.onResume(() => this.#turn());
    if (this.#started === undefined) this.startIfPossible();
    else this.#follow();
  }

  /** Starts if the page has only now given a source of sessions. */
  startIfPossible(): void {
    const idle = this.#started === undefined && this.#starting === undefined && this.#state.phase === "loading";
    if (idle && this.#stopListening !== undefined) void this.#start();
  }

  /** Stops every timer, request and listener, and keeps the state. */
  pause(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#starting?.abort();
    this.#starting = undefined;
    this.#poller.stop();
    this.#countdown.pause();
  }

  /** Discards the payment and requests a session for another one. */
  restart(): void {
    const watching = this.#stopListening !== undefined;
    this.pause();
    this.#countdown.clear();
    this.#state = INITIAL_STATE;
    this.#started = undefined;
    this.#etag = undefined;
    this.#options.changed();
    if (watching) this.resume();
  }

  /** Polls at once, on the person's request. */
  lookNow(): void {
    this.#poller.pollNow();
  }

  async #start(): Promise<void> {
    const starting = new AbortController();
    try {
      const starts = this.#options.startSession(starting.signal);
      if (starts === undefined) return;
      this.#starting = starting;
      const started = await starts;
      if (this.#starting !== starting) return;
      this.#started = started;
      this.#follow();
    } catch (error) {
      if (!starting.signal.aborted) this.#take({ kind: "refused", code: this.#codeOf(error) });
    } finally {
      if (this.#starting === starting) this.#starting = undefined;
    }
  }

  #follow(): void {
    if (isFinal(this.#state.phase)) return;
    this.#countdown.resume();
    this.#poller.start();
  }

  /** Broker and credential of a request. */
  get #source(): Pick<SessionRequest, "broker" | "token"> {
    const { session: token, broker = this.#options.broker() } = this.#started ?? { session: "" };
    return { broker, token };
  }

  async #poll(signal: AbortSignal, fresh: boolean): Promise<PollOutcome> {
    const askedAt = this.#options.platform.now();
    try {
      const answer = await readSession({ ...this.#source, signal, etag: fresh ? undefined : this.#etag }, isPaySession);
      if (signal.aborted) return NOTHING_NEW;
      return { changed: this.#learn(answer, askedAt), retryAfterMs: answer.retryAfterMs };
    } catch (error) {
      if (signal.aborted) return NOTHING_NEW;
      const { transient = false, retryAfterMs = 0 } = error instanceof SessionError ? error : {};
      this.#take({ kind: transient ? "unreachable" : "refused", code: this.#codeOf(error) });
      return { changed: false, retryAfterMs };
    }
  }

  /** Counts down from the time of the request: a slow answer must not promise time that has already passed. */
  #learn(answer: SessionAnswer<PaySession>, askedAt: number): boolean {
    if (!answer.changed) return this.#take({ kind: "unchanged" });
    const { session } = answer;
    this.#etag = answer.etag;
    const newsworthy = this.#take({ kind: "answered", session });
    if (this.#state.phase === "awaiting" && session.expires_in > 0) {
      this.#countdown.countTo(askedAt, session.expires_in);
    }
    return newsworthy;
  }

  /** Handles the page being shown, hidden or online again. */
  #turn(): void {
    const { phase, fault } = this.#state;
    if (this.#started === undefined) {
      if (phase === "failed" && fault === "no_answer" && this.#options.platform.isVisible()) this.restart();
    } else if (!isFinal(phase)) {
      this.#countdown.resume();
      this.#poller.pollNow();
    }
  }

  /** Applies one input and reports its news; returns true if there were any. */
  #take(input: PayQrInput): boolean {
    const { state, news } = nextStep(this.#state, input);
    this.#state = state;
    if (isFinal(state.phase)) {
      this.#poller.stop();
      this.#countdown.pause();
    }
    this.#options.changed();
    for (const item of news) this.#options.tell(item, state);
    return news.length > 0;
  }

  /** Maps an error to its code; one that the page's own function throws is reported like any error of the page. */
  #codeOf(error: unknown): string {
    if (error instanceof SessionError) return error.code;
    this.#options.platform.report(error);
    return "no_session";
  }
}
