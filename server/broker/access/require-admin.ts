import { ApiError } from "../../../src/contract/shared/errors.ts";
import { type BrokerContext, takeFromLimit } from "./broker-context.ts";
import type { OperatorCall } from "./write-idempotently.ts";

/**
 * Throws `not_allowed` unless the operator is an admin, and audits the attempt; past the limit of refusals it throws
 * `too_many_requests` without a record, because the audit is kept for ever.
 */
export async function requireAdmin(
  { sql, audit, refusalLimit }: Pick<BrokerContext, "sql" | "audit" | "refusalLimit">,
  { principal, requestId }: OperatorCall,
  { action, subject }: { readonly action: string; readonly subject: string | undefined },
): Promise<void> {
  if (principal.role === "admin") return;
  takeFromLimit(refusalLimit, principal.personId);
  const facts = { role: principal.role };
  await audit(sql, { requestId, principal, action, outcome: "not_allowed", facts, ...(subject && { subject }) });
  throw new ApiError("not_allowed", { detail: "Your role may look at this; the role admin changes it." });
}
