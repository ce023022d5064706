import type { Recharge, RechargeSession } from "../../src/contract/broker/broker.ts";

/**
 * Step of one top-up at the till. In `selling` and `unsure` its outcome is not known yet, and no other top-up can
 * begin.
 */
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

/** The number by which the person who receives the top-up is looked up. */
export interface Search {
  readonly by: "phone" | "nit";
  readonly text: string;
}

/** The person who was found: a masked name, and a handle that is valid for some minutes. */
export interface FoundPerson {
  readonly handle: string;
  readonly name: string;
}

/** A failure to be shown in the form: its code is one of the broker, of the session, or of the input check. */
export interface FormFault {
  readonly code: string;
  /** A value to use instead, as text, such as the largest amount. */
  readonly value?: string;
  readonly transient?: boolean;
  readonly retryAfterMs?: number;
  /** There was no session for the request: the code is not the broker's. */
  readonly isUnasked?: boolean;
}

/** Outcome of an attempt to sell; one that was refused before it was stored has neither id nor time. */
export type RechargeOutcome = { readonly [field in keyof Recharge]?: Recharge[field] | undefined };

/** Everything that `<recharge-form>` knows of its till and of the top-up in progress. */
export interface RechargeState {
  readonly phase: RechargePhase;
  /** Why the broker cannot be reached at the moment: an overlay; typed input stays. */
  readonly offline?: string | undefined;
  readonly session?: RechargeSession | undefined;
  readonly search?: Search;
  /** A look-up is in flight. */
  readonly searching?: boolean;
  readonly person?: FoundPerson;
  readonly amount?: number;
  /** Idempotency key of the attempt in progress; every retry carries the same. */
  readonly key?: string | undefined;
  /** The outcome, once it is known. */
  readonly recharge?: RechargeOutcome | undefined;
  readonly fault?: FormFault | undefined;
  /** The till's sales of today, newest first; `null` if the last request for them failed. */
  readonly sales?: readonly Recharge[] | null | undefined;
}

/** Changes to report once: a phase that was reached, or a change within one. */
export type RechargeChange = RechargePhase | "noticed" | "missed" | "offline" | "online";

/** The next state, and the changes to report, in order; undefined for input that is late, repeated or invalid. */
export type RechargeStep = { readonly state: RechargeState; readonly news: readonly RechargeChange[] } | undefined;

/** State of `<recharge-form>` before its session is known. */
export const INITIAL_STATE: RechargeState = { phase: "loading" };

/** Refusals that the broker stores under the idempotency key: no request with that key, past or future, sells. */
const VERDICTS: readonly string[] = ["limit_exceeded", "look_up_expired"];

/** The previous step of those that can be left. */
const EARLIER: { readonly [phase in RechargePhase]?: RechargePhase } = {
  amount: "find",
  confirm: "amount",
  rejected: "amount",
};

/** True while an attempt's outcome is not known: no other may begin before it is. */
export function isUnderWay({ phase }: RechargeState): boolean {
  return phase === "selling" || phase === "unsure";
}

function step(state: RechargeState, changes: Partial<RechargeState>, ...more: readonly RechargeChange[]): RechargeStep {
  const next = { ...state, ...changes };
  const news = next.phase === state.phase ? more : [next.phase, ...more];
  return { state: next, news: state.offline && !next.offline ? ["online", ...news] : news };
}

/**
 * Returns the step after the broker answered with the session, which limits what the till may sell: a till that was
 * loading opens.
 */
export function opened(state: RechargeState, session: RechargeSession): RechargeStep {
  return step(state, { session, offline: undefined, phase: state.phase === "loading" ? "find" : state.phase });
}

/**
 * Returns the step after a session did not load. A till that was open stays open, since its data is valid, and retries;
 * one that is loading fails, unless the fault is transient.
 */
export function unopened(state: RechargeState, fault: FormFault): RechargeStep {
  if (state.phase !== "loading" || fault.transient) return away(state, fault);
  return step(state, { phase: "failed", fault });
}

/** Returns the step that starts the look-up of the person who receives the top-up. */
export function searched(state: RechargeState, search: Search): RechargeStep {
  if (state.phase !== "find" || state.searching) return undefined;
  return step(state, { search, searching: true, fault: undefined });
}

/**
 * Returns the step after a person was found: on to the amount. After an expired handle, the confirmation shows the
 * person once more before anything is sold.
 */
export function found(state: RechargeState, person: FoundPerson): RechargeStep {
  if (!state.searching) return undefined;
  const now = { searching: false, offline: undefined, person };
  return state.phase === "confirm" ? step(state, now, "noticed") : step(state, { ...now, phase: "amount" });
}

/** Returns the step after a failed look-up; `user_not_found` is an answer, and no error. */
export function missed(state: RechargeState, fault: FormFault): RechargeStep {
  if (!state.searching) return undefined;
  const now = { phase: "find", searching: false } as const;
  if (fault.code === "no_answer") return away({ ...state, ...now }, fault);
  return step(state, { ...now, fault }, fault.code === "user_not_found" ? "noticed" : "missed");
}

function away(state: RechargeState, { code }: FormFault): RechargeStep {
  return state.offline ? step(state, {}) : step(state, { offline: code }, "offline");
}

/** Returns the step that shows an input error. */
export function mistyped(state: RechargeState, fault: FormFault): RechargeStep {
  return step(state, { fault }, "noticed");
}

/** Returns the step that clears the fault, because the person types; undefined without a fault. */
export function typed(state: RechargeState): RechargeStep {
  return state.fault && step(state, { fault: undefined });
}

/** Returns the step from the choice of an amount to its confirmation. */
export function chosen(state: RechargeState, amount: number): RechargeStep {
  return state.phase === "amount"
    ? step(state, { phase: "confirm", amount, key: undefined, fault: undefined })
    : undefined;
}

/**
 * Returns the step that starts the sale, with a key that no other attempt has; a sale that was only postponed keeps its
 * own key.
 */
export function confirmed(state: RechargeState, key: string): RechargeStep {
  return state.phase === "confirm" && !state.searching
    ? step(state, { phase: "selling", key: state.key ?? key })
    : undefined;
}

/** Returns the step after an answer about the attempt with that key: sold, rejected, or still running and so unsure. */
export function answered(state: RechargeState, key: string, recharge: RechargeOutcome): RechargeStep {
  if (!isUnderWay(state) || key !== state.key) return undefined;
  if (recharge.state === "running") return unsure(state, { code: "request_in_progress" });
  return step(state, { phase: recharge.state === "approved" ? "receipt" : "rejected", offline: undefined, recharge });
}

/**
 * Returns the step after a failed request to sell, for the attempt with that key. An attempt in doubt (`unsure`) is
 * ended only by the broker's answer, not by a failure of the merchant's backend.
 */
export function erred(state: RechargeState, key: string, fault: FormFault): RechargeStep {
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

function unsure(state: RechargeState, fault: FormFault): RechargeStep {
  return step(state, { phase: "unsure", fault });
}

/**
 * Returns the step that stores the till's sales of today in the state; `sales` is `null` if the request for them
 * failed.
 */
export function listed(state: RechargeState, sales: readonly Recharge[] | null): RechargeStep {
  return step(state, { sales });
}

/** Returns the step back: from the amount to the search, from the confirmation or a rejection to the amount. */
export function left(state: RechargeState): RechargeStep {
  const phase = EARLIER[state.phase];
  return phase && !state.searching ? step(state, { phase, recharge: undefined, fault: undefined }) : undefined;
}

/** Returns the step that resets the form for the next top-up, if the outcome of this one is known. */
export function finished({ phase, session, offline, sales }: RechargeState): RechargeStep {
  if (!["receipt", "rejected", "failed"].includes(phase)) return undefined;
  return step({ phase: session ? "find" : "loading", session, offline, sales }, {});
}
