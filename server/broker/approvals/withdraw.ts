import type { BrokerContext } from "../broker-context.ts";
import { isExpired, stateOf } from "./approval-answer.ts";
import { type ApprovalRow, closeApproval, findApproval } from "./approval-store.ts";
import type { SettlingCall } from "./settle-approval.ts";

/**
 * Withdraws an approval in a commit of its own, unless it was consumed: answers it as it stands then, so that nothing
 * that is still on its way makes what is told of it untrue.
 */
export function withdraw(
  { sql, clock, audit }: BrokerContext,
  { requestId, principal }: SettlingCall,
  seen: ApprovalRow,
): Promise<ApprovalRow> {
  return sql.begin(async (tx) => {
    const row = await closeApproval(tx, seen.id, clock());
    if (row === undefined) return (await findApproval(tx, principal.userId, seen.id)) ?? seen;
    await audit(tx, { requestId, principal, action: "withdraw approval", subject: row.id, outcome: stateOf(row) });
    return row;
  });
}

/** Withdraws an approval whose two minutes are over: "expired" is said of none that somebody may be consuming. */
export async function withdrawIfOver(
  broker: BrokerContext,
  call: SettlingCall,
  row: ApprovalRow,
): Promise<ApprovalRow> {
  return isExpired(row, broker.clock()) ? withdraw(broker, call, row) : row;
}
