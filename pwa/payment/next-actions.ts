import type { Words } from "../language/words.ts";
import type { Failure } from "../platform/problem.ts";
import type { ApprovalFailure } from "./approval-problem.ts";

type AnyFailure = Failure | ApprovalFailure;

/** Actions that a stopped payment offers first, besides another code and the link to Home. */
export interface NextActions {
  /** The same code once more. */
  readonly again: boolean;
  /** "Again" asks for another amount first. */
  readonly amount: boolean;
  /** "Again" asks what became of the payment, instead of paying. */
  readonly ask: boolean;
}

const worthAnotherTry: ReadonlySet<AnyFailure> = new Set<AnyFailure>([
  "approval_expired",
  "payment_failed",
  "qr_mismatch",
  "qr_pending",
  "no_connection",
  "too_many_requests",
  "service_unavailable",
  "something_wrong",
  "look_up_expired",
  "refund_too_large",
]);

const aboutTheAmount: ReadonlySet<AnyFailure> = new Set<AnyFailure>([
  "insufficient_balance",
  "balance_limit",
  "limit_exceeded",
]);

/** Returns the actions after a failure; another amount helps only where the person typed it. */
export function nextActions(failure: AnyFailure, amountIsTyped: boolean): NextActions {
  const ask = failure === "outcome_unknown";
  const amount = amountIsTyped && aboutTheAmount.has(failure);
  return { again: ask || amount || worthAnotherTry.has(failure), amount, ask };
}

/** The name of the button for "again". */
export function againWord({ amount, ask }: NextActions, { common, confirm }: Words): string {
  if (ask) return confirm.checkAgain;
  return amount ? confirm.change : common.retry;
}
