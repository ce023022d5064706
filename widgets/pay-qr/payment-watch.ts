import type { PaySession } from "../../src/contract/broker/broker.ts";
import { createChangeStream } from "../shared/change-stream.ts";
import { Countdown } from "../shared/countdown.ts";
import { Poller, type PollOutcome } from "../shared/poller.ts";
import {
  type Caller,
  openSessionHints,
  readSession,
  type SessionAnswer,
  SessionError,
} from "../shared/session-client.ts";
import { SessionWatch, type SessionWatchOptions } from "../shared/session-watch.ts";
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

/** Dependencies of {@link PaymentWatch}. */
export interface PaymentWatchOptions extends SessionWatchOptions<PayQrState, PayQrChange> {
  /** Called when one of the announced numbers of seconds is left. */
  readonly mark: (seconds: number) => void;
}

/** Follows one payment after another for an element: session, polling, countdown and state, without any rendering. */
export class PaymentWatch extends SessionWatch<PayQrState, PayQrChange, PaymentWatchOptions> {
  protected override readonly initial = INITIAL_STATE;
  readonly #poller: Poller;
  readonly #countdown: Countdown;
  #etag: string | undefined;

  constructor(options: PaymentWatchOptions) {
    super(options);
    const { caller, platform } = options;
    const openHints = async (signal: AbortSignal) => openSessionHints({ ...(await caller.start()), signal });
    this.#poller = new Poller(
      platform,
      (signal, fresh) => this.#poll(signal, fresh),
      undefined,
      (hinted) => createChangeStream(platform, openHints, hinted),
    );
    this.#countdown = new Countdown(platform, ANNOUNCED_SECONDS, {
      tick: options.changed,
      mark: options.mark,
      end: () => {
        this.#learn({ kind: "time-up" });
        this.#poller.pollNow();
      },
    });
  }

  /** Whole seconds until the code expires; `undefined` before that is known. */
  get secondsLeft(): number | undefined {
    return this.#countdown.secondsLeft;
  }

  override start(): void {
    if (isFinal(this.state.phase) || !this.canStart) return;
    this.#countdown.resume();
    this.#poller.start();
  }

  override pause(): void {
    super.pause();
    this.#poller.stop();
    this.#countdown.pause();
  }

  override restart(): void {
    this.#countdown.clear();
    this.#etag = undefined;
    super.restart();
  }

  /** Polls at once, on the person's request. */
  pollNow(): void {
    this.#poller.pollNow();
  }

  async #poll(signal: AbortSignal, fresh: boolean): Promise<PollOutcome> {
    const { caller, platform } = this.options;
    const etag = fresh ? undefined : this.#etag;
    let askedAt = 0;
    const read = (asking: Caller) => {
      askedAt = platform.now();
      return readSession({ ...asking, signal, etag }, isPaySession);
    };
    const answer = await caller.ask(read).catch((error: SessionError) => error);
    return { changed: !signal.aborted && this.#hear(answer, askedAt), retryAfterMs: answer.retryAfterMs };
  }

  /** Counts down from the time of the request: a slow answer must not promise time that has already passed. */
  #hear(answer: SessionAnswer<PaySession> | SessionError, askedAt: number): boolean {
    if (answer instanceof SessionError) {
      const { code, isUnasked, transient } = answer;
      this.#learn({ kind: transient && !isUnasked ? "unreachable" : "refused", code });
      return false;
    }
    if (!answer.changed) return this.#learn({ kind: "unchanged" });
    const { session } = answer;
    this.#etag = answer.etag;
    const newsworthy = this.#learn({ kind: "answered", session });
    if (this.state.phase === "awaiting" && session.expires_in > 0) this.#countdown.countTo(askedAt, session.expires_in);
    return newsworthy;
  }

  /** Requests a session again where that failed for want of a connection. */
  protected override turn(): void {
    const { phase, fault } = this.state;
    if (phase === "failed" && fault === "no_answer" && this.options.platform.isVisible()) this.restart();
    else if (!isFinal(phase)) this.#countdown.resume();
    this.#poller.pollNow();
  }

  /** Applies one input; returns true if it was news. */
  #learn(input: PayQrInput): boolean {
    return this.take(nextStep(this.state, input));
  }

  protected override follow({ phase }: PayQrState): void {
    if (!isFinal(phase)) return;
    this.#poller.stop();
    this.#countdown.pause();
  }
}
