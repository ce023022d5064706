import type { Approval } from "../../src/contract/broker.ts";
import { ApiError, type ErrorCode } from "../../src/contract/errors.ts";
import type { ExceededLimit } from "../../src/contract/exceeded-limit.ts";
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
export type ApprovalProblem = (Problem | { readonly failure: ApprovalFailure }) & {
  /** The limit that was passed, as the broker or the service says it. */
  readonly exceeded?: ExceededLimit;
};

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
  const known = error instanceof ApiError ? error : undefined;
  const failure = known && byCode[known.code];
  const problem = failure === undefined ? problemOf(error) : { failure };
  return known?.exceededLimit === undefined ? problem : { ...problem, exceeded: known.exceededLimit };
}

/** Why an approval came to nothing, from the reason that it carries, and the limit where it was one. */
export function approvalProblemOfOutcome({
  reason,
  exceeded_limit: exceeded,
}: Pick<Approval, "reason" | "exceeded_limit">): ApprovalProblem {
  const failure = reason !== undefined && Object.hasOwn(byReason, reason) ? byReason[reason] : undefined;
  const problem = failure === undefined ? problemOfReason(reason) : { failure };
  return exceeded === undefined ? problem : { ...problem, exceeded };
}

/** Whether a failure is one of those that only approvals have. */
export function isApprovalFailure(failure: Failure | ApprovalFailure): failure is ApprovalFailure {
  return Object.values(byCode).includes(failure as ApprovalFailure);
}
