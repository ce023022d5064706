import type * as contract from "../../../src/contract/service/ledger.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { TransferRecord } from "../../ledger/model/command.ts";
import { TRANSFERS } from "../../ledger/model/tables.ts";
import { columnsOf } from "../../ledger/storage/table-statements.ts";
import { requireUser } from "../shared/require-user.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { cutSyncPage, readSyncPage, type SyncPage } from "../shared/sync-page.ts";
import { visibleSide } from "../shared/visible-side.ts";
import { transferAnswer } from "./transfer-answer.ts";

/** The user whose transfers are listed, its creator, and the entity that lists them. */
interface Who {
  readonly userId: string;
  readonly creatorId: string;
  readonly viewerId: string;
}

/**
 * Reads a page of the transfers of a user that an entity may see, and one transfer more, which shows that another page
 * follows; each direction and visibility has its own index. A transfer never changes: its id is its position among
 * changes.
 */
export async function selectTransfers(
  { sql }: Pick<ReadContext, "sql">,
  who: Who,
  { limit, before, after }: SyncPage,
): Promise<readonly (TransferRecord & { readonly position: string })[]> {
  const columns = ["to_user_id", "from_user_id"] as const;
  const below = before === null ? sql`` : sql`and id < ${before}`;
  const above = after === null ? sql`` : sql`and id > ${after}`;
  const parts = columns.map((column) => visibleSide(sql, { table: "transfers", column, ...who }));
  const sides = parts.map(
    ({ condition, newestFirst, oldestFirst }) => sql`
    (select ${columnsOf(sql, TRANSFERS)}, id as position from service.transfers
    where ${condition} ${below} ${above} ${after === null ? newestFirst : oldestFirst} limit ${limit + 1})`,
  );
  // No transfer is on both sides: sender and receiver differ.
  return sql<(TransferRecord & { readonly position: string })[]>`
    ${sides.reduce((left, right) => sql`${left} union all ${right}`)}
    order by position ${after === null ? sql`desc` : sql``} limit ${limit + 1}`;
}

/** Lists the transfers that a user sent and received, approved and rejected, as far as the caller may see them. */
export function ledgerTransactionHistory(
  service: ReadContext,
): Handler<typeof contract.ledgerTransactionHistory, ApiCaller> {
  return async ({ query, principal }) => {
    const page = await readSyncPage(query, service);
    const userId = query["user-id"];
    const who = { userId, viewerId: principal.entityId, ...(await requireUser(service, userId)) };
    const { rows, end } = cutSyncPage(await selectTransfers(service, who, page), page);
    return { body: rows.map((row) => transferAnswer(row, principal.entityId, service)), ...end };
  };
}
