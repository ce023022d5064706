import type { Approval } from "../../../src/contract/broker.ts";
import { type BrokerContext, toInstant, toNumber } from "../broker-context.ts";
import type { ApprovalRow } from "./approval-store.ts";

/** Whether an open approval's two minutes are over. */
export function isExpired(row: ApprovalRow, now: Date): boolean {
  return row.state === "open" && row.expires_at.getTime() <= now.getTime();
}

/** An approval as its person sees it. */
export function approvalAnswer(broker: BrokerContext, row: ApprovalRow, quotaAvailable?: number | null): Approval {
  const now = broker.clock();
  const { id, operation, payee, first_time_payee, currency, check_code, method } = row;
  return {
    ...{ id, operation, payee, first_time_payee, currency, method },
    state: isExpired(row, now) ? "expired" : row.state,
    amount: toNumber(broker, row.amount),
    expires_in: Math.max(0, Math.ceil((row.expires_at.getTime() - now.getTime()) / 1000)),
    ...(check_code === null ? {} : { check_code }),
    ...(row.reference === null ? {} : { reference: row.reference }),
    ...(row.transaction_id === null ? {} : { transaction_id: row.transaction_id }),
    ...(row.transaction_reference === null ? {} : { transaction_reference: row.transaction_reference }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.finished_at === null ? {} : { decided_at: toInstant(row.finished_at) }),
    ...(quotaAvailable === undefined || quotaAvailable === null ? {} : { quota_available: quotaAvailable }),
  };
}
