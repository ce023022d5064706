import { ApiError } from "../../../src/contract/shared/errors.ts";
import { type BrokerContext, takeFromLimit } from "./broker-context.ts";
import type { OperatorRole } from "./principal.ts";
import type { OperatorCall } from "./write-idempotently.ts";

type Refusing = (
  broker: Pick<BrokerContext, "sql" | "audit" | "refusalLimit">,
  call: Pick<OperatorCall, "principal" | "requestId">,
  about: { readonly action: string; readonly subject?: string | undefined },
) => Promise<void>;

/**
 * Makes the check that throws `not_allowed` unless the operator has one of these roles, and audits the attempt; past
 * the limit of refusals it throws `too_many_requests` without a record, because the audit is kept for ever.
 */
function requireRole(roles: readonly OperatorRole[], detail: string): Refusing {
  return async ({ sql, audit, refusalLimit }, { principal, requestId }, { action, subject }) => {
    if (roles.includes(principal.role)) return;
    takeFromLimit(refusalLimit, principal.personId);
    const facts = { role: principal.role };
    await audit(sql, { requestId, principal, action, outcome: "not_allowed", facts, ...(subject && { subject }) });
    throw new ApiError("not_allowed", { detail });
  };
}

/**
 * Throws `not_allowed`, with an audit record, unless the operator is an admin; past the limit of refusals it throws
 * `too_many_requests`, without a record.
 */
export const requireAdmin = requireRole(["admin"], "Your role may look at this; the role admin changes it.");

/**
 * Throws `not_allowed`, with an audit record, unless the operator is a clerk or an admin; past the limit of refusals it
 * throws `too_many_requests`, without a record.
 */
export const requireClerk = requireRole(["clerk", "admin"], "Your role may look at this; clerks and admins do it.");
