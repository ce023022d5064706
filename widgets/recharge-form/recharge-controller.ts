import type { Recharge } from "../../src/contract/broker/broker.ts";
import { askRenewing } from "../shared/session-caller.ts";
import { askBroker, type BrokerRequest, fieldsOf, notUnderstood, type SessionError } from "../shared/session-client.ts";
import { SessionWatch, type SessionWatchOptions } from "../shared/session-watch.ts";
import {
  answered,
  chosen,
  confirmed,
  erred,
  type FormFault,
  finished,
  found,
  INITIAL_STATE,
  isUnderWay,
  left,
  listed,
  missed,
  mistyped,
  opened,
  type RechargeChange,
  type RechargeState,
  type RechargeStep,
  type Search,
  searched,
  typed,
  unopened,
} from "./recharge-form-state.ts";

const SHORTEST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 10_000;
const GROWTH = 1.5;

/** A double click on the control that led to a step must not trigger the next one. */
const DOUBLE_CLICK_MS = 400;

/** Content of one call, without broker and credential. */
type Call = Pick<BrokerRequest, "path" | "body" | "key"> & { readonly signal: AbortSignal };

/** Check of an answer, and the steps that the answer or its failure leads to. */
type Reading<Answer> = [
  isAnswer: (fields: Readonly<Record<string, unknown>>) => unknown,
  brings: (state: RechargeState, answer: Answer) => RechargeStep,
  fails: (state: RechargeState, fault: SessionError) => RechargeStep,
];

/** Dependencies of {@link RechargeController}. */
export interface RechargeControllerOptions extends SessionWatchOptions<RechargeState, RechargeChange> {
  /** Creates an idempotency key that no other attempt has. */
  readonly newKey: () => string;
}

/** Sells one top-up after another for an element: session, look-up, sale and its outcome, without any rendering. */
export class RechargeController extends SessionWatch<RechargeState, RechargeChange, RechargeControllerOptions> {
  protected override readonly initial = INITIAL_STATE;
  #cancelTimer: (() => void) | undefined;
  #delayMs = SHORTEST_DELAY_MS;
  /** Aborts reads, which may be given up when the element leaves the page. */
  #reading = new AbortController();
  /** Aborts the last request to sell, which the next one replaces. */
  #selling = new AbortController();
  #firstClickAt = 0;

  /** Requests also an outcome that is not known. */
  protected override begin(): void {
    this.#reading = new AbortController();
    const { phase, searching } = this.state;
    if (searching) this.#lookUp();
    if (phase !== "failed") this.askNow();
  }

  /** Requests missing data, now that the page shows, is online again or has given a source of sessions. */
  override start(): void {
    const { phase, offline } = this.state;
    const waiting = offline || phase === "loading" || phase === "unsure";
    if (waiting && this.options.platform.isVisible()) this.askNow();
  }

  /** Stops timers, listeners and reads. A sale in progress continues: its outcome is reported whenever it comes. */
  override pause(): void {
    super.pause();
    this.#cancelTimer?.();
    this.#reading.abort();
  }

  /** Discards the session, and also all input unless there is a sale whose outcome is not known. */
  override restart(): void {
    if (isUnderWay(this.state)) this.options.caller.forget();
    else super.restart();
  }

  /** Looks up the person who receives the top-up. */
  search(search: Search): void {
    this.take(searched(this.state, search));
  }

  /** Shows an input error. */
  refuse(fault: FormFault): void {
    this.take(mistyped(this.state, fault));
  }

  /** Clears the input error, because the person types. */
  type(): void {
    this.take(typed(this.state));
  }

  /** Sets the amount, which the caller has checked. */
  choose(amount: number): void {
    this.take(chosen(this.state, amount));
  }

  /** Sells, once for each time that the person has seen receiver and amount. */
  sell(): void {
    this.#press(confirmed(this.state, this.options.newKey()));
  }

  /** Goes one step back. */
  back(): void {
    this.take(left(this.state));
  }

  /** Resets the form for the next top-up. */
  again(): void {
    this.#press(finished(this.state));
  }

  /** Requests at once what is not known: the outcome of a sale whose answer did not come, or else the session. */
  askNow(): void {
    this.#cancelTimer?.();
    const { phase } = this.state;
    if (phase === "selling" || !this.canStart) return;
    if (phase === "unsure") this.#ask();
    else this.#send({ path: "/v1/session" }, ({ kind }) => kind === "recharge", opened, unopened);
  }

  /** Loads the till's sales of today. */
  loadSales(): void {
    this.#send({ path: "/v1/recharges" }, Array.isArray, listed, (state) => listed(state, null));
  }

  #lookUp(): void {
    const { by, text } = this.state.search as Search;
    this.#send({ path: "/v1/look-ups", body: { [by]: text } }, ({ handle }) => handle, found, missed);
  }

  /** Every retry carries the attempt's idempotency key: the first to arrive sells, and all return that sale. */
  #ask(): void {
    const { key = "", person, amount } = this.state;
    this.#selling.abort();
    this.#selling = new AbortController();
    this.#send(
      { path: "/v1/recharges", body: { handle: person?.handle, amount }, key, signal: this.#selling.signal },
      ({ state }) => state,
      (state, recharge: Recharge) => answered(state, key, recharge),
      (state, fault) => erred(state, key, fault),
    );
  }

  /** Sends a request; one that names no signal sells nothing, and is aborted when the element leaves the page. */
  #send<Answer>(call: Omit<Call, "signal"> & Partial<Call>, ...reading: Reading<Answer>): void {
    this.#exchange({ signal: this.#reading.signal, ...call }, ...reading).catch(this.options.platform.report);
  }

  /** Sends one call and applies its answer; retries with growing delays while something is not known. */
  async #exchange<Answer>(call: Call, ...[isAnswer, brings, fails]: Reading<Answer>): Promise<void> {
    let retryAfterMs = 0;
    try {
      const answer = await askRenewing(this.options.caller, (asking) => askBroker({ ...call, ...asking }));
      if (!isAnswer(fieldsOf(answer))) throw notUnderstood();
      this.take(brings(this.state, answer as Answer));
    } catch (error) {
      if (call.signal.aborted) return;
      const fault = error as SessionError;
      ({ retryAfterMs } = fault);
      this.take(fails(this.state, fault));
    }
    const { phase, offline } = this.state;
    if (offline || phase === "unsure") this.#askLater(retryAfterMs);
    else this.#delayMs = SHORTEST_DELAY_MS;
  }

  #askLater(retryAfterMs: number): void {
    const { platform } = this.options;
    if (!this.canStart) return;
    this.#cancelTimer?.();
    const delayMs = this.#delayMs * (0.8 + 0.4 * platform.random());
    this.#delayMs = Math.min(this.#delayMs * GROWTH, LONGEST_DELAY_MS);
    this.#cancelTimer = platform.after(Math.max(delayMs, retryAfterMs), () => this.askNow());
  }

  /** Ignores a press too early in a step: its control may be where another was pressed a moment ago. */
  #press(step: RechargeStep): void {
    if (this.options.platform.now() >= this.#firstClickAt) this.take(step);
  }

  protected override follow({ phase, searching, sales }: RechargeState, before: RechargeState): void {
    if (searching && !before.searching) this.#lookUp();
    if (phase === before.phase) return;
    this.#firstClickAt = this.options.platform.now() + DOUBLE_CLICK_MS;
    if (phase === "loading") this.restart();
    if (phase === "selling") this.#ask();
    if (phase === "receipt" || phase === "rejected") this.askNow();
    if (phase === "receipt" && sales) this.loadSales();
  }
}
