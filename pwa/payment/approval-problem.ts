import type { Approval } from "../../src/contract/broker/broker.ts";
import { ApiError, type ErrorCode } from "../../src/contract/shared/errors.ts";
import type { ExceededLimit } from "../../src/contract/shared/exceeded-limit.ts";
import { type Failure, problemOf, problemOfReason, type ShownProblem } from "../platform/problem.ts";

/** Failures that only approvals can have, besides {@link Failure}; each has a message of its own. */
export type ApprovalFailure =
  | "over_limit"
  | "device_too_new"
  | "look_up_expired"
  | "not_received"
  | "not_reversible"
  | "refund_too_large";

/** Failure of an approval, of a request before it, or of the operation that was approved. */
export type ApprovalProblem = (ShownProblem | { readonly failure: ApprovalFailure }) & {
  /** The limit that was exceeded, as the broker or the service reports it. */
  readonly exceeded?: ExceededLimit;
};

const byCode: Readonly<Partial<Record<ErrorCode, ApprovalFailure>>> = Object.freeze({
  // The broker's own limits, some of which the person can change; a limit of the service has a failure of its own.
  limit_exceeded: "over_limit",
  device_too_new: "device_too_new",
  look_up_expired: "look_up_expired",
  transaction_not_found: "not_received",
  transaction_not_reversible: "not_reversible",
  refund_too_large: "refund_too_large",
});

/** Reasons of the service that only refunds have, and the failure of each. */
const byReason: Readonly<Record<string, ApprovalFailure>> = Object.freeze({
  transaction_not_found: "not_received",
  transaction_not_reversible: "not_reversible",
  refund_too_large: "refund_too_large",
});

/** Returns the problem for an error of opening or confirming an approval. */
export function approvalProblemOf(error: unknown): ApprovalProblem {
  const known = error instanceof ApiError ? error : undefined;
  const failure = known && byCode[known.code];
  const problem = failure === undefined ? problemOf(error) : { failure };
  return known?.exceededLimit === undefined ? problem : { ...problem, exceeded: known.exceededLimit };
}

/** Returns why an approval was rejected or failed, from its reason, with the limit if it exceeded one. */
export function approvalProblemOfOutcome({
  reason,
  exceeded_limit: exceeded,
}: Pick<Approval, "reason" | "exceeded_limit">): ApprovalProblem {
  const failure = reason !== undefined && Object.hasOwn(byReason, reason) ? byReason[reason] : undefined;
  const problem = failure === undefined ? problemOfReason(reason) : { failure };
  return exceeded === undefined ? problem : { ...problem, exceeded };
}

/** True if the failure is one that only approvals have. */
export function isApprovalFailure(failure: Failure | ApprovalFailure): failure is ApprovalFailure {
  return Object.values(byCode).includes(failure as ApprovalFailure);
}
