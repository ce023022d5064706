import type { Recharge } from "../../src/contract/broker.ts";
import type { Platform } from "../shared/platform.ts";
import { type Call, callBroker, SessionCaller, type SessionCallerOptions } from "../shared/session-caller.ts";
import { fieldsOf, notUnderstood, type SessionError } from "../shared/session-client.ts";
import {
  answered,
  chosen,
  confirmed,
  erred,
  type Fault,
  finished,
  found,
  INITIAL_STATE,
  isUnderWay,
  left,
  listed,
  missed,
  mistyped,
  opened,
  type RechargeNews,
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

/** A double click on what led to a step must not take the next one. */
const DOUBLE_CLICK_MS = 400;

/** How an answer is told from anything else, and what it means, or its failure. */
type Reading<Answer> = [
  isAnswer: (fields: Readonly<Record<string, unknown>>) => unknown,
  brings: (state: RechargeState, answer: Answer) => RechargeStep,
  fails: (state: RechargeState, fault: SessionError) => RechargeStep,
];

/** What a desk needs of its element. */
export interface RechargeDeskOptions extends SessionCallerOptions {
  readonly platform: Platform;
  /** The page has said how to get a session. */
  readonly hasSource: () => boolean;
  /** A key that no other attempt has. */
  readonly newKey: () => string;
  /** Something is worth telling, once. */
  readonly tell: (news: RechargeNews, state: RechargeState) => void;
  /** Something that is shown has changed. */
  readonly changed: () => void;
}

/** Sells one top-up after another for an element: session, look-up, sale and its outcome, without any drawing. */
export class RechargeDesk {
  readonly #options: RechargeDeskOptions;
  readonly #caller: SessionCaller;
  #state = INITIAL_STATE;
  #stopListening: (() => void) | undefined;
  #cancelTimer: () => void = () => undefined;
  #delayMs = SHORTEST_DELAY_MS;
  /** What only reads, and may be given up when the element leaves the page. */
  #reading = new AbortController();
  /** The last try to sell, which the next one takes the place of. */
  #selling = new AbortController();
  #firstClickAt = 0;

  constructor(options: RechargeDeskOptions) {
    this.#options = options;
    this.#caller = new SessionCaller(options);
  }

  /** What is known now. */
  get state(): RechargeState {
    return this.#state;
  }

  /** Begins, or goes on where {@link pause} left off: an outcome that is not known is asked for. */
  resume(): void {
    if (this.#stopListening !== undefined) return;
    this.#stopListening = this.#options.platform.onTurn(() => this.startIfPossible());
    this.#reading = new AbortController();
    const { phase, searching } = this.#state;
    if (searching) this.#lookUp();
    if (phase !== "failed") this.askNow();
  }

  /** Asks for what is missing, now that the page shows, is online again or has said how to get a session. */
  startIfPossible(): void {
    const { phase, offline } = this.#state;
    const waiting = phase === "loading" || phase === "unsure" || offline !== undefined;
    if (waiting && this.#stopListening !== undefined && this.#options.platform.isVisible()) this.askNow();
  }

  /** Stops timers, listeners and reading. A sale under way goes on: its outcome is told whenever it comes. */
  pause(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#cancelTimer();
    this.#reading.abort();
  }

  /** Forgets the till and everything typed, unless there is a sale whose outcome is not known. */
  restart(): void {
    this.#caller.forget();
    if (isUnderWay(this.#state)) return;
    const open = this.#stopListening !== undefined;
    this.pause();
    this.#state = INITIAL_STATE;
    this.#options.changed();
    if (open) this.resume();
  }

  /** Looks for the person who receives the top-up. */
  search(search: Search): void {
    this.#take(searched(this.#state, search));
  }

  /** Says what is wrong with what was typed. */
  refuse(fault: Fault): void {
    this.#take(mistyped(this.#state, fault));
  }

  /** Somebody types: what was wrong is being put right. */
  type(): void {
    this.#take(typed(this.#state));
  }

  /** Settles the amount, which its caller has checked. */
  choose(amount: number): void {
    this.#take(chosen(this.#state, amount));
  }

  /** Sells, once for each time that the person has seen whom and how much. */
  sell(): void {
    this.#press(confirmed(this.#state, this.#options.newKey()));
  }

  /** One step back. */
  back(): void {
    this.#take(left(this.#state));
  }

  /** Makes room for the next top-up. */
  again(): void {
    this.#press(finished(this.#state));
  }

  /** Asks at once for what is not known: the outcome of a sale whose answer did not come, or else the till. */
  askNow(): void {
    this.#cancelTimer();
    const { phase } = this.#state;
    if (phase === "selling" || !this.#options.hasSource()) return;
    if (phase === "unsure") this.#ask();
    else this.#read({ path: "/v1/session" }, ({ kind }) => kind === "recharge", opened, unopened);
  }

  /** Asks what the till sold today. */
  loadSales(): void {
    this.#read({ path: "/v1/recharges" }, Array.isArray, listed, (state) => listed(state, null));
  }

  #lookUp(): void {
    const { by, text } = this.#state.search ?? { by: "phone", text: "" };
    this.#read({ path: "/v1/look-ups", body: { [by]: text } }, ({ handle }) => handle, found, missed);
  }

  /** Each try carries the key of its attempt: whichever of them arrives first sells, and all of them tell of that. */
  #ask(): void {
    const { key = "", person, amount } = this.#state;
    this.#selling.abort();
    this.#selling = new AbortController();
    void this.#exchange(
      { path: "/v1/recharges", body: { handle: person?.handle, amount }, key, signal: this.#selling.signal },
      ({ state }) => state,
      (state, recharge: Recharge) => answered(state, key, recharge),
      (state, fault) => erred(state, key, fault),
    );
  }

  /** Whatever sells nothing, and so may be given up when the element leaves the page. */
  #read<Answer>(call: Omit<Call, "signal">, ...reading: Reading<Answer>): void {
    void this.#exchange({ ...call, signal: this.#reading.signal }, ...reading);
  }

  /** One call and what it means; while something is not known it is asked for again, less and less often. */
  async #exchange<Answer>(call: Call, ...[isAnswer, brings, fails]: Reading<Answer>): Promise<void> {
    let retryAfterMs = 0;
    try {
      const answer = await callBroker(this.#caller, call);
      if (!isAnswer(fieldsOf(answer))) throw notUnderstood(call.path);
      this.#take(brings(this.#state, answer as Answer));
    } catch (error) {
      if (call.signal.aborted) return;
      const fault = error as SessionError;
      ({ retryAfterMs } = fault);
      this.#take(fails(this.#state, fault));
    }
    const { phase, offline } = this.#state;
    if (phase === "unsure" || offline !== undefined) this.#askLater(retryAfterMs);
    else this.#delayMs = SHORTEST_DELAY_MS;
  }

  #askLater(retryAfterMs: number): void {
    const { platform } = this.#options;
    if (this.#stopListening === undefined) return;
    this.#cancelTimer();
    const delayMs = Math.max(this.#delayMs * (0.8 + 0.4 * platform.random()), retryAfterMs);
    this.#delayMs = Math.min(this.#delayMs * GROWTH, LONGEST_DELAY_MS);
    this.#cancelTimer = platform.after(delayMs, () => this.askNow());
  }

  /** What the person presses may stand where something else was pressed a moment ago. */
  #press(step: RechargeStep): void {
    if (this.#options.platform.now() >= this.#firstClickAt) this.#take(step);
  }

  /** Takes one step, does what it asks for, and tells its news: a page may well answer them with a restart. */
  #take(step: RechargeStep): void {
    if (step === undefined) return;
    const before = this.#state;
    this.#state = step.state;
    this.#options.changed();
    this.#follow(before, step.state);
    for (const item of step.news) this.#options.tell(item, step.state);
  }

  #follow(before: RechargeState, { phase, searching, sales }: RechargeState): void {
    if (searching && !before.searching) this.#lookUp();
    if (phase === before.phase) return;
    this.#firstClickAt = this.#options.platform.now() + DOUBLE_CLICK_MS;
    if (phase === "loading") this.restart();
    if (phase === "selling") this.#ask();
    if (phase === "receipt" || phase === "rejected") this.askNow();
    if (phase === "receipt" && sales) this.loadSales();
  }
}
