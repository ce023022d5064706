import type { LedgerTransaction } from "../../../src/contract/ledger.ts";
import { parseExactJson } from "../../../src/exact-json.ts";
import type { TransferRecord } from "../../ledger/command.ts";
import { type Currency, toNumber } from "../service-context.ts";

/** A transfer as it is answered; the same for every entity that may see it. */
export function transferAnswer(record: TransferRecord, currency: Currency): LedgerTransaction {
  return {
    id: record.id,
    reference: record.reference,
    status: record.status,
    ...(record.reason === null ? {} : { reason: record.reason as NonNullable<LedgerTransaction["reason"]> }),
    from_user_id: record.fromUserId,
    to_user_id: record.toUserId,
    amount: toNumber(currency, record.amount),
    date: record.date.toISOString(),
    created_at: record.createdAt.toISOString(),
    details: parseExactJson(record.details) as LedgerTransaction["details"],
  };
}
