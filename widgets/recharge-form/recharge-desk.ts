import type { Recharge, RechargeSession } from "../../src/contract/broker.ts";
import type { Platform } from "../shared/platform.ts";
import { callBroker, SessionCaller, type SessionCallerOptions } from "../shared/session-caller.ts";
import { fieldsOf, SessionError } from "../shared/session-client.ts";
import {
  type FoundPerson,
  INITIAL_STATE,
  isUnderWay,
  nextStep,
  type RechargeInput,
  type RechargeNews,
  type RechargeState,
  type Search,
} from "./recharge-form-state.ts";

const SHORTEST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 10_000;
const GROWTH = 1.5;

/** A double click on what led to a step must not take the next one. */
const DOUBLE_CLICK_MS = 400;

/** What a desk needs of its element. */
export interface RechargeDeskOptions extends Pick<SessionCallerOptions, "startSession" | "broker"> {
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
  #asking: AbortController | undefined;
  #firstClickAt = 0;

  constructor(options: RechargeDeskOptions) {
    this.#options = options;
    this.#caller = new SessionCaller({ ...options, report: (error) => options.platform.report(error) });
  }

  /** What is known now. */
  get state(): RechargeState {
    return this.#state;
  }

  /** Begins, or goes on where {@link pause} left off: an outcome that is not known is asked for. */
  resume(): void {
    if (this.#stopListening !== undefined) return;
    this.#stopListening = this.#options.platform.onTurn(() => this.#turn());
    this.#reading = new AbortController();
    this.#begin();
  }

  /** Begins where the page has only now said how to get a session. */
  startIfPossible(): void {
    if (this.#stopListening !== undefined && this.#state.phase === "loading") this.#begin();
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
    if (this.#take({ kind: "search", search })) this.#lookUp();
  }

  /** Settles the amount, which its caller has checked. */
  choose(amount: number): void {
    this.#take({ kind: "choose", amount });
  }

  /** Sells, once for each time that the person has seen whom and how much. */
  sell(): void {
    if (this.#isDoubleClick()) return;
    if (this.#take({ kind: "sell", key: this.#options.newKey() })) this.askNow();
  }

  /** One step back. */
  back(): void {
    this.#take({ kind: "back" });
  }

  /** Makes room for the next top-up. */
  again(): void {
    if (this.#isDoubleClick()) return;
    if (this.#take({ kind: "again" }) && this.#state.phase === "loading") this.restart();
  }

  /** Asks at once for what is not known: the outcome of a sale, or else the till. */
  askNow(): void {
    this.#cancelTimer();
    if (isUnderWay(this.#state)) void this.#ask();
    else this.#open();
  }

  /** Asks what the till sold today. */
  loadSales(): void {
    void this.#read(
      "/v1/recharges",
      isList,
      (sales) => ({ kind: "listed", sales }),
      () => ({ kind: "unlisted" }),
    );
  }

  #isDoubleClick(): boolean {
    return this.#options.platform.now() < this.#firstClickAt;
  }

  #begin(): void {
    if (!this.#options.hasSource()) return;
    if (this.#state.searching) this.#lookUp();
    if (isUnderWay(this.#state) ? this.#asking === undefined : this.#state.phase !== "failed") this.askNow();
  }

  #open(): void {
    void this.#read(
      "/v1/session",
      isRechargeSession,
      (session) => ({ kind: "opened", session }),
      (fault) => ({ kind: "unopened", fault }),
    );
  }

  #lookUp(): void {
    const { by, text } = this.#state.search ?? { by: "phone", text: "" };
    void this.#read(
      "/v1/look-ups",
      isPerson,
      (person) => ({ kind: "found", person }),
      (fault) => ({ kind: "missed", fault }),
      { [by]: text },
    );
  }

  /** Whatever sells nothing, and so may be given up when the element leaves the page. */
  async #read<Answer>(
    path: string,
    isAnswer: (answer: unknown) => answer is Answer,
    brings: (answer: Answer) => RechargeInput,
    fails: (fault: SessionError) => RechargeInput,
    body?: unknown,
  ): Promise<void> {
    const { signal } = this.#reading;
    try {
      const answer = await callBroker(this.#caller, { path, body, signal });
      if (!isAnswer(answer)) throw notUnderstood();
      this.#take(brings(answer));
      this.#delayMs = SHORTEST_DELAY_MS;
    } catch (error) {
      if (signal.aborted) return;
      const fault = this.#faultOf(error);
      this.#take(fails(fault));
      if (this.#state.offline) this.#askLater(fault.retryAfterMs);
    }
  }

  /** Each try carries the key of its attempt: whichever of them arrives first sells, and all of them tell of that. */
  async #ask(): Promise<void> {
    const { key = "", person, amount } = this.#state;
    const asking = new AbortController();
    this.#asking?.abort();
    this.#asking = asking;
    try {
      const body = { handle: person?.handle, amount };
      const recharge = await callBroker(this.#caller, { path: "/v1/recharges", body, key, signal: asking.signal });
      if (!isRecharge(recharge)) throw notUnderstood();
      this.#take({ kind: "answered", key, recharge });
    } catch (error) {
      if (asking.signal.aborted) return;
      this.#take({ kind: "erred", key, fault: this.#faultOf(error) });
    }
    if (this.#asking === asking) this.#asking = undefined;
    this.#afterAsking();
  }

  #afterAsking(): void {
    const { phase, searching, fault, sales } = this.#state;
    if (this.#stopListening === undefined) return;
    if (phase === "unsure") this.#askLater(fault?.retryAfterMs);
    if (searching) this.#lookUp();
    if (phase === "receipt") this.#open();
    if (phase === "receipt" && sales) this.loadSales();
  }

  #askLater(retryAfterMs = 0): void {
    const { platform } = this.#options;
    this.#cancelTimer();
    const delayMs = Math.max(this.#delayMs * (0.8 + 0.4 * platform.random()), retryAfterMs);
    this.#delayMs = Math.min(this.#delayMs * GROWTH, LONGEST_DELAY_MS);
    this.#cancelTimer = platform.after(delayMs, () => this.askNow());
  }

  /** The page shows, hides or is online again. */
  #turn(): void {
    const { phase, offline } = this.#state;
    const waiting = phase === "loading" || phase === "unsure" || offline !== undefined;
    if (waiting && this.#options.platform.isVisible() && this.#options.hasSource()) this.askNow();
  }

  /** Takes one input, tells its news, and says whether it meant anything. */
  #take(input: RechargeInput): boolean {
    const { state, news } = nextStep(this.#state, input);
    const meant = state !== this.#state;
    if (state.phase !== this.#state.phase) this.#firstClickAt = this.#options.platform.now() + DOUBLE_CLICK_MS;
    this.#state = state;
    this.#options.changed();
    for (const item of news) this.#options.tell(item, state);
    return meant;
  }

  /** What is no answer of anybody's is a bug, for whoever watches the page's errors. */
  #faultOf(error: unknown): SessionError {
    if (error instanceof SessionError) return error;
    this.#options.platform.report(error);
    return notUnderstood();
  }
}

function notUnderstood(): SessionError {
  return new SessionError("not_understood", { transient: false });
}

function isRechargeSession(answer: unknown): answer is RechargeSession {
  return fieldsOf(answer).kind === "recharge";
}

function isPerson(answer: unknown): answer is FoundPerson {
  return typeof fieldsOf(answer).handle === "string";
}

function isRecharge(answer: unknown): answer is Recharge {
  return typeof fieldsOf(answer).state === "string";
}

function isList(answer: unknown): answer is Recharge[] {
  return Array.isArray(answer);
}
