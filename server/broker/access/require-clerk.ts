import { ApiError } from "../../../src/contract/shared/errors.ts";
import { type BrokerContext, takeFromLimit } from "./broker-context.ts";
import type { OperatorCall } from "./write-idempotently.ts";

/**
 * Throws `not_allowed` if the operator is a viewer, who may only look, and audits the attempt; past the limit of
 * refusals it throws `too_many_requests` without a record.
 */
export async function requireClerk(
  { sql, audit, refusalLimit }: Pick<BrokerContext, "sql" | "audit" | "refusalLimit">,
  { principal, requestId }: OperatorCall,
  { action, subject }: { readonly action: string; readonly subject?: string | undefined },
): Promise<void> {
  if (principal.role !== "viewer") return;
  takeFromLimit(refusalLimit, principal.personId);
  const facts = { role: principal.role };
  await audit(sql, { requestId, principal, action, outcome: "not_allowed", facts, ...(subject && { subject }) });
  throw new ApiError("not_allowed", { detail: "Your role may look at this; clerks and admins do it." });
}
