import type { LedgerTransaction } from "../../../src/contract/service/ledger.ts";
import { parseExactJson } from "../../../src/parse-exact-json.ts";
import type { TransferRecord } from "../../ledger/model/command.ts";
import { exceededLimitAnswer } from "../shared/exceeded-limit-answer.ts";
import { type ServiceContext, toNumber } from "../shared/service-context.ts";

/**
 * Builds the answer of a transfer for an entity; only the sender's creator sees the limit that a rejected one exceeded.
 */
export function transferAnswer(
  record: TransferRecord,
  viewerId: string,
  service: Pick<ServiceContext, "currency" | "time">,
): LedgerTransaction {
  const { exceededLimit } = record;
  return {
    id: record.id,
    reference: record.reference,
    status: record.status,
    ...(record.reason === null ? {} : { reason: record.reason as NonNullable<LedgerTransaction["reason"]> }),
    ...(exceededLimit !== null && record.fromCreatorId === viewerId
      ? { exceeded_limit: exceededLimitAnswer(exceededLimit, service) }
      : {}),
    from_user_id: record.fromUserId,
    to_user_id: record.toUserId,
    amount: toNumber(service.currency, record.amount),
    date: record.date.toISOString(),
    created_at: record.createdAt.toISOString(),
    details: parseExactJson(record.details) as LedgerTransaction["details"],
  };
}
