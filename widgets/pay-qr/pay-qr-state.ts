import type { PaySession } from "../../src/contract/broker/broker.ts";

/** State of a payment as the person sees it; the last four are final for their session. */
export type PayQrPhase = "loading" | "awaiting" | "paid" | "expired" | "cancelled" | "failed";

/** Everything that `<pay-qr>` knows of one payment session. */
export interface PayQrState {
  readonly phase: PayQrPhase;
  /** The broker is unreachable: an overlay on loading and awaiting, because the code stays payable meanwhile. */
  readonly offline: boolean;
  /** The local countdown has ended, and the server has not given the outcome; stays true if it never does. */
  readonly lapsed: boolean;
  /** The last answer. */
  readonly session: PaySession | undefined;
  /** Error code, while failed or offline. */
  readonly fault: string | undefined;
  /** The payment happened while it was watched, so that the time of the answer is the time of the payment. */
  readonly witnessed: boolean;
}

/** Inputs of {@link nextStep}: results of polls, and the end of the countdown. */
export type PayQrInput =
  | { readonly kind: "answered"; readonly session: PaySession }
  | { readonly kind: "unchanged" }
  | { readonly kind: "unreachable"; readonly code: string }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "time-up" };

/** Changes to report once: to the page as an event, to the person as a sentence, or both. */
export type PayQrChange =
  | "ready"
  | "rejected"
  | "pending"
  | "offline"
  | "online"
  | "checking"
  | "paid"
  | "expired"
  | "cancelled"
  | "failed";

/** Result of {@link nextStep}: the next state, and the changes to report, in order. */
export interface PayQrStep {
  readonly state: PayQrState;
  readonly news: readonly PayQrChange[];
}

/** State of `<pay-qr>` before the first answer. */
export const INITIAL_STATE: PayQrState = {
  phase: "loading",
  offline: false,
  lapsed: false,
  session: undefined,
  fault: undefined,
  witnessed: false,
};

/** The phase in which `<pay-qr>` shows each state of a session's code. */
export const PHASE_OF = {
  unpaid: "awaiting",
  pending: "awaiting",
  paid: "paid",
  expired: "expired",
  cancelled: "cancelled",
} as const satisfies Record<PaySession["state"], PayQrPhase>;

/** True if the session never leaves the phase. */
export function isFinal(phase: PayQrPhase): boolean {
  return phase !== "loading" && phase !== "awaiting";
}

/**
 * Returns the next state for an input, with the changes to report. Final states never change, so that late and repeated
 * answers bring no news.
 */
export function nextStep(state: PayQrState, input: PayQrInput): PayQrStep {
  if (isFinal(state.phase)) return { state, news: [] };
  switch (input.kind) {
    case "answered":
      return answered(state, input.session);
    case "unchanged":
      return { state: { ...state, offline: false, fault: undefined }, news: state.offline ? ["online"] : [] };
    case "unreachable":
      return { state: { ...state, offline: true, fault: input.code }, news: state.offline ? [] : ["offline"] };
    case "refused":
      return refused(state, input.code);
    case "time-up":
      return timeUp(state);
  }
}

/** Marks an unpaid code as lapsed; a payment that is held does not expire with its code: only its outcome ends it. */
function timeUp(state: PayQrState): PayQrStep {
  if (state.lapsed || state.session?.state !== "unpaid") return { state, news: [] };
  return { state: { ...state, lapsed: true }, news: ["checking"] };
}

function answered(state: PayQrState, session: PaySession): PayQrStep {
  const phase = PHASE_OF[session.state];
  const known = state.session;
  const news: PayQrChange[] = [];
  if (state.offline) news.push("online");
  if (known !== undefined && session.rejected_attempts > known.rejected_attempts) news.push("rejected");
  if (phase !== "awaiting") news.push(phase);
  else if (state.phase === "loading") news.push("ready");
  if (session.state === "pending" && known?.state !== "pending") news.push("pending");
  return {
    state: {
      phase,
      offline: false,
      lapsed: phase === "awaiting" && session.state === "unpaid" && session.expires_in <= 0,
      session: keepHighestCount(session, known),
      fault: undefined,
      witnessed: phase === "paid" && known !== undefined,
    },
    news,
  };
}

/** An older answer of another server process may count fewer attempts; a rejection must not be reported twice. */
function keepHighestCount(session: PaySession, known: PaySession | undefined): PaySession {
  if (known === undefined || session.rejected_attempts >= known.rejected_attempts) return session;
  return { ...session, rejected_attempts: known.rejected_attempts };
}

/** A session outlives its code by minutes: refused after that, the code expired, unpaid as far as the page knows. */
function refused(state: PayQrState, code: string): PayQrStep {
  if (code === "unauthorized" && state.lapsed) {
    return { state: { ...state, phase: "expired", offline: false }, news: ["expired"] };
  }
  return { state: { ...state, phase: "failed", offline: false, fault: code }, news: ["failed"] };
}
