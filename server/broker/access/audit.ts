import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
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

/** Writes audit records, which are kept for ever. */
export interface Audit {
  /** Writes one; callers pass the transaction of the decision where there is one. */
  (sql: Sql | Tx, record: AuditRecord): Promise<void>;
  /**
   * Runs a statement that writes one row at most and returns it, and with it, in the same statement and commit, writes
   * the audit record of that; without a row it writes none.
   */
  beside<R extends object>(sql: Sql | Tx, write: SqlPart, record: AuditRecord): Promise<R | undefined>;
}

function idOf(principal: AuditRecord["principal"]): string {
  if ("id" in principal) return principal.id;
  return principal.kind === "command line" ? "-" : principalId(principal);
}

/** Makes the audit in `broker.audit_records`, whose records are dated by the clock. */
export function createAudit(clock: () => Date): Audit {
  function insertion(sql: Sql | Tx, { requestId, principal, action, subject, outcome, facts = {} }: AuditRecord) {
    return sql`
      insert into broker.audit_records
        (recorded_at, request_id, principal_kind, principal_id, action, subject, outcome, facts)
      select ${clock()}, ${requestId}, ${principal.kind}, ${idOf(principal)}, ${action},
        ${subject ?? null}, ${outcome}, ${JSON.stringify(facts)}`;
  }

  return Object.assign(
    async (sql: Sql | Tx, record: AuditRecord): Promise<void> => {
      await insertion(sql, record);
    },
    {
      async beside<R extends object>(sql: Sql | Tx, write: SqlPart, record: AuditRecord): Promise<R | undefined> {
        const [row] = await sql<R[]>`
          with written as (${write}), recorded as (${insertion(sql, record)} from written)
          select * from written`;
        return row;
      },
    },
  );
}
