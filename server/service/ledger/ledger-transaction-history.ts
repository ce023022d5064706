import type { Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/ledger.ts";
import type { TransferRecord } from "../../ledger/command.ts";
import { cutSyncPage, pageClause, positionColumn, readSyncPage, type SyncPage } from "../page.ts";
import type { ApiCaller, ServiceContext } from "../service-context.ts";
import { seenParts } from "../transactions/seen-parts.ts";
import { requireUser } from "../users/require-user.ts";
import { transferAnswer } from "./transfer-answer.ts";

/** A transfer never changes: its id is its change. */
const COLUMNS = { id: "id", changed: "id" };

/** Reads one transfer more than a page; each direction, and who may see it, goes down its own index. */
async function selectTransfers(
  { sql }: ServiceContext,
  { userId, viewerId }: { readonly userId: string; readonly viewerId: string },
  page: SyncPage,
): Promise<readonly (TransferRecord & { readonly position: string })[]> {
  const columns = ["to_user_id", "from_user_id"] as const;
  const parts = columns.flatMap((column) =>
    seenParts(sql, { column, userId, viewerId }).map((part) => sql`${sql(column)} = ${userId} and ${part}`),
  );
  const sides = parts.map(
    (part) => sql`
    (select id, reference, status, reason, amount, date, details, from_user_id as "fromUserId",
      from_creator_id as "fromCreatorId", to_user_id as "toUserId", to_creator_id as "toCreatorId",
      made_by as "madeBy", posting_id as "postingId", created_at as "createdAt", ${positionColumn(sql, page, COLUMNS)}
    from service.transfers
    where ${part} and ${pageClause(sql, page, COLUMNS)})`,
  );
  // No transfer is on both sides: sender and receiver differ.
  return sql<(TransferRecord & { readonly position: string })[]>`
    ${sides.reduce((left, right) => sql`${left} union all ${right}`)}
    order by position ${page.after === null ? sql`desc` : sql``} limit ${page.limit + 1}`;
}

/** Lists the transfers that a user sent and received, approved and rejected. */
export function ledgerTransactionHistory(
  service: ServiceContext,
): Handler<typeof contract.ledgerTransactionHistory, ApiCaller> {
  return async ({ query, principal }) => {
    const page = readSyncPage(query, service.clock());
    const userId = query["user-id"];
    await requireUser(service, userId);
    const { rows, end } = cutSyncPage(
      await selectTransfers(service, { userId, viewerId: principal.entityId }, page),
      page,
    );
    return { body: rows.map((row) => transferAnswer(row, service.currency)), ...end };
  };
}
