import type { TransactionRecord } from "./command.ts";

/** True if the row of a payment or refund tells for ever how it was recorded: unless it was a hold. */
export function tellsItsRecording({ heldAmount }: Pick<TransactionRecord, "heldAmount">): boolean {
  return heldAmount === null;
}

/** Returns a payment or refund as it was recorded, before any refund, from a row that tells it. */
export function asRecorded(row: TransactionRecord): TransactionRecord {
  const status = row.postingId === null ? "rejected" : "approved";
  return { ...row, status, reversedAmount: 0n, statusCount: 1 };
}
