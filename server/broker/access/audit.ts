import type { Sql, Tx } from "../../database/connect.ts";
import { type Principal, type PrincipalKind, principalId } from "./principal.ts";

/** An administrator who runs commands with direct access to the database. */
interface CommandLine {
  readonly kind: "command line";
}

/**
 * A principal reduced to its kind and id, for the audit: the person or till whose payment the broker settles by itself.
 */
export interface Actor {
  readonly kind: PrincipalKind;
  readonly id: string;
}

/**
 * A decision on money or access as callers pass it to the audit, which adds the time: request id, principal, action,
 * what was acted on, outcome and facts.
 */
export interface AuditRecord {
  readonly requestId: string;
  readonly principal: Principal | Actor | CommandLine;
  /** A verb and what it acts on, such as `confirm approval`. */
  readonly action: string;
  /** The id of what it acted on. */
  readonly subject?: string;
  readonly outcome: string;
  /** Ids, amounts, codes; never a name, a phone number or a secret. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
}

/** Writes an audit record, which is kept for ever; callers pass the transaction of the decision where there is one. */
export type Audit = (sql: Sql | Tx, record: AuditRecord) => Promise<void>;

function idOf(principal: AuditRecord["principal"]): string {
  if ("id" in principal) return principal.id;
  return principal.kind === "command line" ? "-" : principalId(principal);
}

/** Makes the function that writes audit records to `broker.audit_records`, dated by the clock. */
export function createAudit(clock: () => Date): Audit {
  return async (sql, { requestId, principal, action, subject, outcome, facts = {} }) => {
    await sql`
      insert into broker.audit_records
        (recorded_at, request_id, principal_kind, principal_id, action, subject, outcome, facts)
      values (${clock()}, ${requestId}, ${principal.kind}, ${idOf(principal)}, ${action},
        ${subject ?? null}, ${outcome}, ${JSON.stringify(facts)})`;
  };
}
