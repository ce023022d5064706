import type { QuotaSession } from "../../src/contract/broker/broker.ts";

/** View of the element: a placeholder, the quota, the notice that the merchant may not see it, or a failure. */
export type UserQuotaPhase = "loading" | "shown" | "refused" | "failed";

/** Everything that `<user-quota>` knows of the user's quota. */
export interface UserQuotaState {
  readonly phase: UserQuotaPhase;
  /** The broker is unreachable: an overlay on loading and shown. */
  readonly offline: boolean;
  /** The last answer; cleared with the permission. */
  readonly session: QuotaSession | undefined;
  /** Time of the server's last answer, by its own clock, in milliseconds since 1970. */
  readonly asOf: number;
  /** That moment by the page's monotonic clock. */
  readonly answeredAt: number;
  /** Error code, while refused, failed or offline. */
  readonly fault: string | undefined;
}

/** Inputs of {@link nextStep}: results of polls; `at` is the time of the request by the page's monotonic clock. */
export type UserQuotaInput =
  | { readonly kind: "answered"; readonly session: QuotaSession; readonly at: number }
  | { readonly kind: "unchanged"; readonly at: number }
  | { readonly kind: "unreachable"; readonly code: string }
  | { readonly kind: "refused"; readonly code: string };

/** Changes to report once: to the page as an event, to the person as a sentence, or both. */
export type UserQuotaChange = "loaded" | "same" | "offline" | "online" | "refused" | "failed";

/** Result of {@link nextStep}: the next state, and the changes to report, in order. */
export interface UserQuotaStep {
  readonly state: UserQuotaState;
  readonly news: readonly UserQuotaChange[];
}

/** State of `<user-quota>` before the first answer. */
export const INITIAL_STATE: UserQuotaState = {
  phase: "loading",
  offline: false,
  session: undefined,
  asOf: 0,
  answeredAt: 0,
  fault: undefined,
};

/** Codes by which the broker says, of a session that was just renewed, that the person revoked the permission. */
const WITHDRAWN: readonly string[] = ["not_allowed", "unauthorized"];

/** True if only a restart leaves the phase. */
export function isFinal(phase: UserQuotaPhase): boolean {
  return phase === "refused" || phase === "failed";
}

/**
 * Returns the next state for an input, with the changes to report. A refusal or failure is final, so that late answers
 * bring nothing back.
 */
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

/** Applies an answer; a whole one may say nothing new, if a server or a proxy makes a new `ETag` each time. */
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

/** Clears the shown data, because the permission to show it is gone. */
function refused(code: string): UserQuotaStep {
  const phase = WITHDRAWN.includes(code) ? "refused" : "failed";
  return { state: { ...INITIAL_STATE, phase, fault: code }, news: [phase] };
}

function contentOf(session: QuotaSession): string {
  return JSON.stringify({ ...session, as_of: "", expires_at: "", expires_in: 0 });
}
