import type { AuditRecord } from "../../access/audit.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { isExpired, stateOf } from "./approval-answer.ts";
import { type ApprovalRow, closeApproval, findApproval } from "./approval-store.ts";

/** The request that withdraws an approval, or asks for it. */
interface AskingCall extends Pick<AuditRecord, "requestId"> {
  readonly principal: PersonPrincipal;
}

/**
 * Withdraws an approval in a commit of its own, unless it was consumed; returns it as it stands after that, so that no
 * request still under way makes the answer untrue.
 */
export function withdraw(
  { sql, clock, audit }: BrokerContext,
  { requestId, principal }: AskingCall,
  seen: ApprovalRow,
): Promise<ApprovalRow> {
  return sql.begin(async (tx) => {
    const row = await closeApproval(tx, seen.id, clock());
    if (row === undefined) return (await findApproval(tx, principal.userId, seen.id)) ?? seen;
    await audit(tx, { requestId, principal, action: "withdraw approval", subject: row.id, outcome: stateOf(row) });
    return row;
  });
}

/**
 * Withdraws an open approval whose two minutes are over, and returns any other as it is: none that a request may be
 * consuming is reported as "expired".
 */
export async function withdrawIfOver(broker: BrokerContext, call: AskingCall, row: ApprovalRow): Promise<ApprovalRow> {
  return isExpired(row, broker.clock()) ? withdraw(broker, call, row) : row;
}
