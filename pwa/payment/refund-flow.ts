import { ApiError } from "../../src/contract/shared/errors.ts";
import { ApprovalFlow } from "./approval-flow.ts";
import type { ApprovalProblem } from "./approval-problem.ts";

/** Approval of a refund. An address that names no payment is treated like that of an unknown payment. */
export class RefundFlow extends ApprovalFlow {
  protected override async problemOf(error: unknown): Promise<ApprovalProblem> {
    const namesNone = error instanceof ApiError && error.code === "invalid_request";
    return namesNone ? { failure: "not_received" } : super.problemOf(error);
  }
}
