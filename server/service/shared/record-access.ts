import type { Tx } from "../../database/connect.ts";

/** A decision on access, on receivers of events, or on limits and terms, as an access record states it. */
export interface AccessDecision {
  /** The API client that asked, or `command line`. */
  readonly madeBy: string;
  readonly requestId: string | null;
  /** The requested operation, by name. */
  readonly action: string;
  /** The id of the API client, key, webhook or entity, or a loan type's place; null where none came into being. */
  readonly subject: string | null;
  /** `done`, or the code of the refusal. */
  readonly outcome: string;
}

/** Writes the access record of a decision, which is never deleted, in the database transaction that carries it out. */
export async function recordAccess(tx: Tx, decision: AccessDecision, now: Date): Promise<void> {
  const { madeBy, requestId, action, subject, outcome } = decision;
  const row = { recorded_at: now, made_by: madeBy, request_id: requestId, action, subject, outcome };
  await tx`insert into service.access_records ${tx(row)}`;
}
