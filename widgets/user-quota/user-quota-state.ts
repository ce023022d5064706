import type { QuotaSession } from "../../src/contract/broker.ts";

/** What the person sees: a place that is kept, the quota, that the merchant may not see it, or that it did not come. */
export type UserQuotaPhase = "loading" | "shown" | "refused" | "failed";

/** Everything that `<user-quota>` knows. */
export interface UserQuotaState {
  readonly phase: UserQuotaPhase;
  /** No news at the moment: an overlay on loading and shown. */
  readonly offline: boolean;
  /** The last answer; forgotten with the permission. */
  readonly session: QuotaSession | undefined;
  /** When the server last said that this is so, by its own clock, in milliseconds since 1970. */
  readonly asOf: number;
  /** That moment by the page's monotonic clock. */
  readonly answeredAt: number;
  /** What went wrong, while refused, failed or offline. */
  readonly fault: string | undefined;
}

/** What may come to pass; `at` is the moment of asking by the page's monotonic clock. */
export type UserQuotaInput =
  | { readonly kind: "answered"; readonly session: QuotaSession; readonly at: number }
  | { readonly kind: "unchanged"; readonly at: number }
  | { readonly kind: "unreachable"; readonly code: string }
  | { readonly kind: "refused"; readonly code: string };

/** What is worth telling, once: to the page as an event, to the person as a sentence, or both. */
export type UserQuotaNews = "loaded" | "same" | "offline" | "online" | "refused" | "failed";

/** The next state, and the news that it brings in their order. */
export interface UserQuotaStep {
  readonly state: UserQuotaState;
  readonly news: readonly UserQuotaNews[];
}

/** Before anything is known. */
export const INITIAL_STATE: UserQuotaState = Object.freeze({
  phase: "loading",
  offline: false,
  session: undefined,
  asOf: 0,
  answeredAt: 0,
  fault: undefined,
});

/** With these the broker says, of a session that was renewed just now, that the person took the permission back. */
const WITHDRAWN: readonly string[] = ["not_allowed", "unauthorized"];

/** Whether the phase is one that only a restart leaves. */
export function isFinal(phase: UserQuotaPhase): boolean {
  return phase === "refused" || phase === "failed";
}

/** Decides what an input means. After a refusal nothing else counts, so that late answers bring nothing back. */
export function nextStep(state: UserQuotaState, input: UserQuotaInput): UserQuotaStep {
  if (isFinal(state.phase)) return { state, news: [] };
  switch (input.kind) {
    case "answered":
      return answered(state, input.session, input.at);
    case "unchanged":
      return confirmed(state, state.asOf + input.at - state.answeredAt, input.at);
    case "unreachable":
      return { state: { ...state, offline: true, fault: input.code }, news: state.offline ? [] : ["offline"] };
    case "refused":
      return refused(input.code);
  }
}

/** An answer may be whole and yet say nothing new, where a server or a proxy makes its `ETag` anew each time. */
function answered(state: UserQuotaState, session: QuotaSession, at: number): UserQuotaStep {
  const known = state.session;
  const asOf = Date.parse(session.as_of);
  if (known !== undefined && contentOf(known) === contentOf(session)) return confirmed(state, asOf, at);
  return {
    state: { phase: "shown", offline: false, session, asOf, answeredAt: at, fault: undefined },
    news: state.offline ? ["online", "loaded"] : ["loaded"],
  };
}

function confirmed(state: UserQuotaState, asOf: number, at: number): UserQuotaStep {
  return {
    state: { ...state, offline: false, asOf, answeredAt: at, fault: undefined },
    news: [state.offline ? "online" : "same"],
  };
}

/** What was shown goes with the permission to show it. */
function refused(code: string): UserQuotaStep {
  const phase = WITHDRAWN.includes(code) ? "refused" : "failed";
  return { state: { ...INITIAL_STATE, phase, fault: code }, news: [phase] };
}

function contentOf(session: QuotaSession): string {
  return JSON.stringify({ ...session, as_of: "", expires_at: "", expires_in: 0 });
}
