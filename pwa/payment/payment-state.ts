import type { Approval, Scan } from "../../src/contract/broker/broker.ts";
import type { PasskeyFault } from "../passkey/passkey-fault.ts";
import type { Failure } from "../platform/problem.ts";
import { type ApprovalProblem, approvalProblemOfOutcome } from "./approval-problem.ts";

/**
 * Why the person has to approve again: no passkey came, the broker refused it, or the confirmation did not arrive and
 * the approval was withdrawn. Nothing was paid, and nothing of it is on its way.
 */
export type ProofFault = PasskeyFault | "refused" | "copied" | "not_sent";

/** State of one payment on the screen; a transfer or a refund begins at `opening`. */
export type PaymentState =
  | { readonly phase: "reading" }
  | { readonly phase: "amount"; readonly scan: Scan }
  | { readonly phase: "opening"; readonly scan?: Scan; readonly fault?: ProofFault }
  | { readonly phase: "ready"; readonly approval: Approval; readonly fault?: ProofFault }
  | { readonly phase: "proving"; readonly approval: Approval }
  | { readonly phase: "paying"; readonly approval: Approval }
  | { readonly phase: "asking"; readonly approval?: Approval }
  | { readonly phase: "paid"; readonly approval: Approval }
  | { readonly phase: "stopped"; readonly problem: ApprovalProblem };

/** An event of a payment: an answer of the broker, a timeout, or an action of the person. */
export type PaymentEvent =
  | { readonly type: "read"; readonly scan: Scan }
  | { readonly type: "amount" }
  | { readonly type: "opened"; readonly approval: Approval }
  | { readonly type: "reopen" }
  | { readonly type: "prove" }
  | { readonly type: "not_proven"; readonly fault: ProofFault }
  | { readonly type: "pay" }
  | { readonly type: "outcome"; readonly approval: Approval }
  | { readonly type: "no_answer" }
  | { readonly type: "timed_out" }
  | { readonly type: "polling_ended" }
  | { readonly type: "problem"; readonly problem: ApprovalProblem };

/** The initial state of a payment. */
export const start: PaymentState = Object.freeze({ phase: "reading" });

const unpayable: Readonly<Partial<Record<Scan["state"], Failure>>> = Object.freeze({
  paid: "qr_already_paid",
  pending: "qr_pending",
  expired: "qr_expired",
  cancelled: "qr_cancelled",
});

function stopped(failure: Failure): PaymentState {
  return { phase: "stopped", problem: { failure } };
}

function afterRead(scan: Scan): PaymentState {
  if (scan.own) return stopped("own_code");
  const failure = unpayable[scan.state];
  if (failure !== undefined) return stopped(failure);
  return scan.amount === undefined ? { phase: "amount", scan } : { phase: "opening", scan };
}

const afterOutcome: Readonly<Record<Approval["state"], (approval: Approval) => PaymentState>> = Object.freeze({
  open: (approval) => ({ phase: "ready", approval }),
  running: (approval) => ({ phase: "asking", approval }),
  approved: (approval) => ({ phase: "paid", approval }),
  rejected: (approval) => ({ phase: "stopped", problem: approvalProblemOfOutcome(approval) }),
  failed: (approval) => ({ phase: "stopped", problem: approvalProblemOfOutcome(approval) }),
  withdrawn: () => stopped("approval_expired"),
  expired: () => stopped("approval_expired"),
});

function afterOpened({ fault }: { readonly fault?: ProofFault }, approval: Approval): PaymentState {
  const next = afterOutcome[approval.state](approval);
  return next.phase === "ready" && fault !== undefined ? { ...next, fault } : next;
}

/**
 * Returns the next state of a payment. Pure; an event that does not belong to the present state changes nothing, so a
 * second press, a late answer and a repeated one are harmless. After `pay`, a missing answer leads to asking the broker
 * for the outcome, never to paying again, and so does the end of the time to approve: only the broker can say that
 * nothing was paid.
 */
export function afterEvent(state: PaymentState, event: PaymentEvent): PaymentState {
  const { phase } = state;
  switch (event.type) {
    case "read":
      return phase === "reading" ? afterRead(event.scan) : state;
    case "amount":
      return phase === "amount" ? { phase: "opening", scan: state.scan } : state;
    case "opened":
      return phase === "opening" ? afterOpened(state, event.approval) : state;
    case "reopen":
      return phase === "asking" ? { phase: "opening", fault: "not_sent" } : state;
    case "prove":
      return phase === "ready" ? { phase: "proving", approval: state.approval } : state;
    case "not_proven":
      return phase === "proving" || phase === "paying"
        ? { phase: "ready", approval: state.approval, fault: event.fault }
        : state;
    case "pay":
      return phase === "ready" || phase === "proving" ? { phase: "paying", approval: state.approval } : state;
    case "outcome":
      return phase === "paying" || phase === "asking" ? afterOutcome[event.approval.state](event.approval) : state;
    case "no_answer":
      return phase === "paying" ? { phase: "asking", approval: state.approval } : state;
    case "timed_out":
      return phase === "ready" ? { phase: "asking", approval: state.approval } : state;
    case "polling_ended":
      return phase === "asking" ? stopped("outcome_unknown") : state;
    case "problem":
      return phase === "paid" || phase === "stopped" ? state : { phase: "stopped", problem: event.problem };
  }
}
