import type { Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/ledger.ts";
import type { TransferRecord } from "../../ledger/command.ts";
import { cutPage, type Page, readPage } from "../page.ts";
import type { ApiCaller, ServiceContext } from "../service-context.ts";
import { visibleTo } from "../transactions/transaction-answer.ts";
import { requireUser } from "../users/require-user.ts";
import { transferAnswer } from "./transfer-answer.ts";

/** Reads one transfer more than a page, newest first; each direction goes down its own index. */
async function selectTransfers(
  { sql }: ServiceContext,
  { userId, viewerId }: { readonly userId: string; readonly viewerId: string },
  { limit, before }: Page,
): Promise<TransferRecord[]> {
  const side = (column: "to_user_id" | "from_user_id") => sql`
    (select id, reference, status, reason, amount, date, details, from_user_id as "fromUserId",
      from_creator_id as "fromCreatorId", to_user_id as "toUserId", to_creator_id as "toCreatorId",
      made_by as "madeBy", posting_id as "postingId", created_at as "createdAt"
    from service.transfers
    where ${sql(column)} = ${userId} and ${visibleTo(sql, viewerId)}
      ${before === null ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit + 1})`;
  // No transfer is on both sides: sender and receiver differ.
  return sql<TransferRecord[]>`
    ${side("to_user_id")} union all ${side("from_user_id")} order by id desc limit ${limit + 1}`;
}

/** Lists the transfers that a user sent and received, approved and rejected. */
export function ledgerTransactionHistory(
  service: ServiceContext,
): Handler<typeof contract.ledgerTransactionHistory, ApiCaller> {
  return async ({ query, principal }) => {
    const page = readPage(query);
    const userId = query["user-id"];
    await requireUser(service, userId);
    const selected = await selectTransfers(service, { userId, viewerId: principal.entityId }, page);
    const { rows, nextCursor } = cutPage(selected, page);
    return { body: rows.map((row) => transferAnswer(row, service.currency)), nextCursor };
  };
}
