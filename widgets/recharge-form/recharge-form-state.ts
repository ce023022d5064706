import type { Recharge, RechargeSession } from "../../src/contract/broker.ts";

/** Where the till stands with one top-up; from `selling` on, only its known outcome leads on. */
export type RechargePhase =
  | "loading"
  | "find"
  | "amount"
  | "confirm"
  | "selling"
  | "unsure"
  | "receipt"
  | "rejected"
  | "failed";

/** What the person who receives the top-up is looked for by. */
export interface Search {
  readonly by: "phone" | "nit";
  readonly text: string;
}

/** Who was found: a masked name, and the handle that stands for the person for some minutes. */
export interface FoundPerson {
  readonly handle: string;
  readonly name: string;
}

/** Why something did not work: a code of the broker's, of the session, or of what was typed. */
export interface Fault {
  readonly code: string;
  /** What would do instead. */
  readonly value?: string;
  readonly transient?: boolean;
  readonly retryAfterMs?: number;
  /** There was no session to ask with: the code is not the broker's. */
  readonly isUnasked?: boolean;
}

/** What became of an attempt; one that was refused before it was kept has neither number nor time. */
export type Outcome = { readonly [field in keyof Recharge]?: Recharge[field] | undefined };

/** Everything that `<recharge-form>` knows of its till and of the top-up under way. */
export interface RechargeState {
  readonly phase: RechargePhase;
  /** Why the broker cannot be reached at the moment: an overlay, what was typed stays. */
  readonly offline?: string | undefined;
  readonly session?: RechargeSession | undefined;
  readonly search?: Search;
  /** A look-up is on its way. */
  readonly searching?: boolean;
  readonly person?: FoundPerson;
  readonly amount?: number;
  /** Idempotency key of the attempt under way; every try of it carries the same. */
  readonly key?: string | undefined;
  /** The outcome, once it is known. */
  readonly recharge?: Outcome | undefined;
  readonly fault?: Fault | undefined;
  /** What the till sold today, newest first; `null` where the last wish to see it was in vain. */
  readonly sales?: readonly Recharge[] | null | undefined;
}

/** What is worth telling, once: a phase that was reached, or what happened within one. */
export type RechargeNews = RechargePhase | "noticed" | "missed" | "offline" | "online";

/** The next state, and the news that it brings in their order; none where what came is late, repeated or unfit. */
export type RechargeStep = { readonly state: RechargeState; readonly news: readonly RechargeNews[] } | undefined;

/** Before anything is known. */
export const INITIAL_STATE: RechargeState = Object.freeze({ phase: "loading" });

/** Refusals that the broker keeps under the key: whatever came before or is still to come, none of it sells. */
const VERDICTS: readonly string[] = ["limit_exceeded", "look_up_expired"];

/** The step before, for those that can be left. */
const EARLIER: { readonly [phase in RechargePhase]?: RechargePhase } = Object.freeze({
  amount: "find",
  confirm: "amount",
  rejected: "amount",
});

/** Whether an attempt's outcome is not known yet: nothing may begin anew before it is. */
export function isUnderWay({ phase }: RechargeState): boolean {
  return phase === "selling" || phase === "unsure";
}

function step(state: RechargeState, changes: Partial<RechargeState>, ...more: readonly RechargeNews[]): RechargeStep {
  const next = { ...state, ...changes };
  const news = next.phase === state.phase ? more : [next.phase, ...more];
  return { state: next, news: state.offline && !next.offline ? ["online", ...news] : news };
}

/** The broker said what the till may sell. */
export function opened(state: RechargeState, session: RechargeSession): RechargeStep {
  return step(state, { session, offline: undefined, phase: state.phase === "loading" ? "find" : state.phase });
}

/** It did not; a till that was open once stays: what it shows is true, and it asks again. */
export function unopened(state: RechargeState, fault: Fault): RechargeStep {
  if (state.phase !== "loading" || fault.transient) return away(state, fault);
  return step(state, { phase: "failed", fault });
}

/** Somebody is to be found. */
export function searched(state: RechargeState, search: Search): RechargeStep {
  if (state.phase !== "find" || state.searching) return undefined;
  return step(state, { search, searching: true, fault: undefined });
}

/** Found again after the handle had expired, the person is shown once more before anything is sold. */
export function found(state: RechargeState, person: FoundPerson): RechargeStep {
  if (!state.searching) return undefined;
  const now = { searching: false, offline: undefined, person };
  return state.phase === "confirm" ? step(state, now, "noticed") : step(state, { ...now, phase: "amount" });
}

/** Nobody was found, which is no error where that is the answer. */
export function missed(state: RechargeState, fault: Fault): RechargeStep {
  if (!state.searching) return undefined;
  const now = { phase: "find", searching: false } as const;
  if (fault.code === "no_answer") return away({ ...state, ...now }, fault);
  return step(state, { ...now, fault }, fault.code === "user_not_found" ? "noticed" : "missed");
}

function away(state: RechargeState, { code }: Fault): RechargeStep {
  return state.offline ? step(state, {}) : step(state, { offline: code }, "offline");
}

/** What was typed will not do. */
export function mistyped(state: RechargeState, fault: Fault): RechargeStep {
  return step(state, { fault }, "noticed");
}

/** What was wrong is being put right. */
export function typed(state: RechargeState): RechargeStep {
  return state.fault && step(state, { fault: undefined });
}

/** An amount was settled on. */
export function chosen(state: RechargeState, amount: number): RechargeStep {
  return state.phase === "amount"
    ? step(state, { phase: "confirm", amount, key: undefined, fault: undefined })
    : undefined;
}

/** It is to be sold, with a key that no other attempt has; one that was only put off keeps its own. */
export function confirmed(state: RechargeState, key: string): RechargeStep {
  return state.phase === "confirm" && !state.searching
    ? step(state, { phase: "selling", key: state.key ?? key })
    : undefined;
}

/** A try of the attempt with that key was answered. */
export function answered(state: RechargeState, key: string, recharge: Outcome): RechargeStep {
  if (!isUnderWay(state) || key !== state.key) return undefined;
  if (recharge.state === "running") return unsure(state, { code: "request_in_progress" });
  return step(state, { phase: recharge.state === "approved" ? "receipt" : "rejected", offline: undefined, recharge });
}

/** Only the broker's word on the attempt ends one that is in doubt; an answer of the page's own backend is none. */
export function erred(state: RechargeState, key: string, fault: Fault): RechargeStep {
  if (!isUnderWay(state) || key !== state.key) return undefined;
  const { phase, person, amount, session } = state;
  const { code: reason } = fault;
  if (!fault.isUnasked && VERDICTS.includes(reason)) {
    if (phase === "selling" && reason === "look_up_expired") {
      return step(state, { phase: "confirm", searching: true, key: undefined, fault });
    }
    return answered(state, key, { state: "rejected", name: person?.name, amount, currency: session?.currency, reason });
  }
  if (phase === "unsure" || reason === "not_understood") return unsure(state, fault);
  if (reason === "too_many_requests") return step(state, { phase: "confirm", fault }, "missed");
  return fault.transient ? unsure(state, fault) : step(state, { phase: "failed", fault });
}

function unsure(state: RechargeState, fault: Fault): RechargeStep {
  return step(state, { phase: "unsure", fault });
}

/** What the till sold today is known, or (`null`) was asked for in vain. */
export function listed(state: RechargeState, sales: readonly Recharge[] | null): RechargeStep {
  return step(state, { sales });
}

/** One step back. */
export function left(state: RechargeState): RechargeStep {
  const phase = EARLIER[state.phase];
  return phase && !state.searching ? step(state, { phase, recharge: undefined, fault: undefined }) : undefined;
}

/** A top-up whose outcome is known makes room for the next one. */
export function finished({ phase, session, offline, sales }: RechargeState): RechargeStep {
  if (!["receipt", "rejected", "failed"].includes(phase)) return undefined;
  return step({ phase: session ? "find" : "loading", session, offline, sales }, {});
}
