import { ApiError, type ErrorCode } from "../../src/contract/errors.ts";
import { type Failure, type Problem, problemOf, problemOfReason } from "./problem.ts";

/** What can go wrong only where something is approved, each with its own designed sentence. */
export type ApprovalFailure =
  | "over_limit"
  | "device_too_new"
  | "look_up_expired"
  | "not_received"
  | "not_reversible"
  | "refund_too_large";

/** A failure on the way to an approval, or of what was approved. */
export type ApprovalProblem = Problem | { readonly failure: ApprovalFailure };

const byCode: Readonly<Partial<Record<ErrorCode, ApprovalFailure>>> = Object.freeze({
  // The broker's own limits, of which the person can change some; a rejection for a limit of the service is another.
  limit_exceeded: "over_limit",
  device_too_new: "device_too_new",
  look_up_expired: "look_up_expired",
  transaction_not_found: "not_received",
  transaction_not_reversible: "not_reversible",
  refund_too_large: "refund_too_large",
});

/** Why a refund was not made, where the service's reason is one that only refunds have. */
const byReason: Readonly<Record<string, ApprovalFailure>> = Object.freeze({
  transaction_not_found: "not_received",
  transaction_not_reversible: "not_reversible",
  refund_too_large: "refund_too_large",
});

/** What went wrong with opening or confirming an approval. */
export function approvalProblemOf(error: unknown): ApprovalProblem {
  const failure = error instanceof ApiError ? byCode[error.code] : undefined;
  return failure === undefined ? problemOf(error) : { failure };
}

/** Why an approval came to nothing, from the reason that it carries. */
export function approvalProblemOfReason(reason: string | undefined): ApprovalProblem {
  const failure = reason !== undefined && Object.hasOwn(byReason, reason) ? byReason[reason] : undefined;
  return failure === undefined ? problemOfReason(reason) : { failure };
}

/** Whether a failure is one of those that only approvals have. */
export function isApprovalFailure(failure: Failure | ApprovalFailure): failure is ApprovalFailure {
  return Object.values(byCode).includes(failure as ApprovalFailure);
}
