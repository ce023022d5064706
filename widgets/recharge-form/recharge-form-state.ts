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

/** Why something did not work: a code of the broker's or of the session, and how long to wait if that was said. */
interface Fault {
  readonly code: string;
  readonly transient?: boolean;
  readonly retryAfterMs?: number;
}

/** Everything that `<recharge-form>` knows of its till and of the top-up under way. */
export interface RechargeState {
  readonly phase: RechargePhase;
  /** Why the broker cannot be reached at the moment: an overlay, what was typed stays. */
  readonly offline: string | undefined;
  readonly session: RechargeSession | undefined;
  readonly search: Search | undefined;
  /** A look-up is on its way. */
  readonly searching: boolean;
  readonly person: FoundPerson | undefined;
  readonly amount: number | undefined;
  /** Idempotency key of the attempt under way; every try of it carries the same. */
  readonly key: string | undefined;
  /** A try of this attempt ended without an answer, so that it may have been sold. */
  readonly doubtful: boolean;
  /** The outcome, once it is known. */
  readonly recharge: Recharge | undefined;
  readonly fault: Fault | undefined;
  /** What the till sold today, newest first; `null` where the last wish to see it was in vain. */
  readonly sales: readonly Recharge[] | null | undefined;
}

/** What may come to pass. */
export type RechargeInput =
  | { readonly kind: "opened"; readonly session: RechargeSession }
  | { readonly kind: "unopened"; readonly fault: Fault }
  | { readonly kind: "search"; readonly search: Search }
  | { readonly kind: "found"; readonly person: FoundPerson }
  | { readonly kind: "missed"; readonly fault: Fault }
  | { readonly kind: "choose"; readonly amount: number }
  | { readonly kind: "sell"; readonly key: string }
  | { readonly kind: "answered"; readonly key: string; readonly recharge: Recharge }
  | { readonly kind: "erred"; readonly key: string; readonly fault: Fault }
  | { readonly kind: "listed"; readonly sales: readonly Recharge[] }
  | { readonly kind: "unlisted" }
  | { readonly kind: "back" }
  | { readonly kind: "again" };

/** What is worth telling, once: to the page as an event, to the person as a sentence, or both. */
export type RechargeNews =
  | "ready"
  | "found"
  | "missed"
  | "renewed"
  | "unsure"
  | "done"
  | "rejected"
  | "failed"
  | "offline"
  | "online";

/** The next state, and the news that it brings in their order. */
export interface RechargeStep {
  readonly state: RechargeState;
  readonly news: readonly RechargeNews[];
}

/** Before anything is known. */
export const INITIAL_STATE: RechargeState = Object.freeze({
  phase: "loading",
  offline: undefined,
  session: undefined,
  search: undefined,
  searching: false,
  person: undefined,
  amount: undefined,
  key: undefined,
  doubtful: false,
  recharge: undefined,
  fault: undefined,
  sales: undefined,
});

/** The broker's own refusals of a sale: whatever came before, it was not sold with this key. */
const VERDICTS: readonly string[] = ["limit_exceeded", "not_allowed", "user_not_found", "invalid_request"];

/** Whether an attempt's outcome is not known yet: nothing may begin anew before it is. */
export function isUnderWay({ phase }: RechargeState): boolean {
  return phase === "selling" || phase === "unsure";
}

/** Decides what an input means; one that does not fit the phase is late or repeated, and changes nothing. */
export function nextStep(state: RechargeState, input: RechargeInput): RechargeStep {
  const { state: next, news } = stepFor(state, input);
  return { state: next, news: state.offline && !next.offline ? ["online", ...news] : news };
}

function stepFor(state: RechargeState, input: RechargeInput): RechargeStep {
  const { phase, searching } = state;
  const mine = isUnderWay(state) && "key" in input && input.key === state.key;
  switch (input.kind) {
    case "opened":
      return opened(state, input.session);
    case "unopened":
      return unopened(state, input.fault);
    case "search":
      if (phase !== "find" || searching) break;
      return step(state, { search: input.search, searching: true, fault: undefined });
    case "found":
      return searching ? found(state, input.person) : step(state);
    case "missed":
      return searching ? missed(state, input.fault) : step(state);
    case "choose":
      if (phase !== "amount") break;
      return step(state, { phase: "confirm", amount: input.amount, fault: undefined });
    case "sell":
      if (phase !== "confirm" || searching) break;
      return step(state, { phase: "selling", key: input.key, doubtful: false, fault: undefined });
    case "answered":
      return mine ? answered(state, input.recharge) : step(state);
    case "erred":
      return mine ? erred(state, input.fault) : step(state);
    case "listed":
      return step(state, { sales: input.sales });
    case "unlisted":
      return step(state, { sales: null });
    case "back":
      return back(state);
    case "again":
      return again(state);
  }
  return step(state);
}

function step(state: RechargeState, changes?: Partial<RechargeState>, ...news: readonly RechargeNews[]): RechargeStep {
  return { state: changes ? { ...state, ...changes } : state, news };
}

function opened(state: RechargeState, session: RechargeSession): RechargeStep {
  const now = { session, offline: undefined };
  return state.phase === "loading" ? step(state, { ...now, phase: "find" }, "ready") : step(state, now);
}

/** A till that was open once stays: what it shows is true, and it asks again. */
function unopened(state: RechargeState, fault: Fault): RechargeStep {
  if (state.phase !== "loading" || fault.transient) return away(state, fault);
  return step(state, { phase: "failed", fault }, "failed");
}

/** Found again after the handle had expired, the person is shown once more before anything is sold. */
function found(state: RechargeState, person: FoundPerson): RechargeStep {
  const now = { searching: false, offline: undefined, person };
  return state.phase === "confirm" ? step(state, now, "renewed") : step(state, { ...now, phase: "amount" }, "found");
}

function missed(state: RechargeState, fault: Fault): RechargeStep {
  const now = { phase: "find", searching: false } as const;
  return fault.code === "no_answer" ? away({ ...state, ...now }, fault) : step(state, { ...now, fault }, "missed");
}

function away(state: RechargeState, { code }: Fault): RechargeStep {
  return state.offline ? step(state) : step(state, { offline: code }, "offline");
}

function answered(state: RechargeState, recharge: Recharge): RechargeStep {
  if (recharge.state === "running") return unsure(state, { code: "request_in_progress" });
  const now = { offline: undefined, recharge, fault: undefined };
  if (recharge.state === "approved") return step(state, { ...now, phase: "receipt" }, "done");
  return step(state, { ...now, phase: "rejected" }, "rejected");
}

/** Only what certainly ends the attempt may end it; a code without an answer behind it does not. */
function erred(state: RechargeState, fault: Fault): RechargeStep {
  const { code } = fault;
  if (code === "look_up_expired") return step(state, { phase: "confirm", searching: true, fault });
  if (VERDICTS.includes(code)) return step(state, { phase: "rejected", fault }, "rejected");
  if (state.doubtful || code === "not_understood") return unsure(state, fault);
  if (code === "too_many_requests") return step(state, { phase: "confirm", fault }, "missed");
  return fault.transient ? unsure(state, fault) : step(state, { phase: "failed", fault }, "failed");
}

function unsure(state: RechargeState, fault: Fault): RechargeStep {
  const now = { phase: "unsure", doubtful: true, fault } as const;
  return state.phase === "unsure" ? step(state, now) : step(state, now, "unsure");
}

function back(state: RechargeState): RechargeStep {
  const { phase, searching } = state;
  if (phase === "amount") return step(state, { phase: "find", fault: undefined });
  if ((phase !== "confirm" && phase !== "rejected") || searching) return step(state);
  return step(state, { phase: "amount", recharge: undefined, fault: undefined });
}

/** A top-up whose outcome is known makes room for the next one. */
function again(state: RechargeState): RechargeStep {
  const { phase, session, offline, sales } = state;
  if (!["receipt", "rejected", "failed"].includes(phase)) return step(state);
  return step(INITIAL_STATE, { session, offline, sales, phase: session ? "find" : "loading" });
}
