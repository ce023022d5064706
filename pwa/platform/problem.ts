import { NoAnswerError } from "../../src/client.ts";
import { ApiError, type ErrorCode } from "../../src/contract/shared/errors.ts";

/** Failures that can prevent a payment; each has a message of its own. */
export type Failure =
  | "qr_already_paid"
  | "qr_expired"
  | "qr_cancelled"
  | "qr_pending"
  | "qr_not_found"
  | "qr_not_authentic"
  | "qr_other_payer"
  | "qr_mismatch"
  | "own_code"
  | "foreign_code"
  | "damaged_code"
  | "not_a_code"
  | "mistyped_reference"
  | "unknown_service"
  | "insufficient_balance"
  | "balance_limit"
  | "limit_exceeded"
  | "payer_blocked"
  | "counterparty_limit"
  | "not_allowed"
  | "approval_expired"
  | "approval_mismatch"
  | "payment_failed"
  | "outcome_unknown"
  | "no_connection"
  | "too_many_requests"
  | "service_unavailable"
  | "something_wrong";

/** A failure to be shown, with the name of the other payment scheme where the code is foreign. */
export interface ShownProblem {
  readonly failure: Failure;
  readonly scheme?: string;
}

const byCode: Readonly<Partial<Record<ErrorCode, Failure>>> = Object.freeze({
  qr_already_paid: "qr_already_paid",
  qr_expired: "qr_expired",
  qr_cancelled: "qr_cancelled",
  qr_not_found: "qr_not_found",
  qr_not_authentic: "qr_not_authentic",
  qr_other_payer: "qr_other_payer",
  qr_mismatch: "qr_mismatch",
  reference_mistyped: "mistyped_reference",
  insufficient_balance: "insufficient_balance",
  balance_limit: "balance_limit",
  limit_exceeded: "limit_exceeded",
  not_allowed: "not_allowed",
  approval_expired: "approval_expired",
  approval_mismatch: "approval_mismatch",
  too_many_requests: "too_many_requests",
  upstream_failed: "service_unavailable",
  unavailable: "service_unavailable",
});

/** Reasons for which the service rejects a payment, as an approval or a movement carries them. */
const byReason: Readonly<Record<string, Failure>> = Object.freeze({
  ...byCode,
  payer_blocked: "payer_blocked",
  counterparty_limit: "counterparty_limit",
});

/** Returns the problem to show for a failed call; an unexpected error, as from a bug of ours, is `something_wrong`. */
export function problemOf(error: unknown): ShownProblem {
  if (error instanceof NoAnswerError) return { failure: "no_connection" };
  if (error instanceof ApiError) return { failure: byCode[error.code] ?? "something_wrong" };
  return { failure: "something_wrong" };
}

/** Returns why a payment was not made, from an approval's reason; `payment_failed` without a known one. */
export function problemOfReason(reason: string | undefined): ShownProblem {
  if (reason === undefined || !Object.hasOwn(byReason, reason)) return { failure: "payment_failed" };
  return { failure: byReason[reason] ?? "payment_failed" };
}
