import type * as contract from "../../../src/contract/service/transactions.ts";
import type { Handler, Reply } from "../../../src/contract/shared/handler.ts";
import type { TransactionRecord } from "../../ledger/model/command.ts";
import { TRANSACTIONS } from "../../ledger/model/tables.ts";
import { columnsOf } from "../../ledger/storage/table-statements.ts";
import { indexWalk, withoutSelectivity } from "../shared/index-scan.ts";
import { readListPeriod, recordedIn } from "../shared/list-period.ts";
import type { PeriodInstants } from "../shared/period-instants.ts";
import { requireUser } from "../shared/require-user.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { cutSyncPage, readSyncPage, type SyncPage } from "../shared/sync-page.ts";
import { seenByReceiver, visibleSide } from "../shared/visible-side.ts";
import { transactionAnswer, visibleTo } from "./transaction-answer.ts";

/** The filter of a list of a user's payments, with the user's creator and the entity that the list is for. */
export interface TransactionFilter extends PeriodInstants {
  readonly userId: string;
  readonly creatorId: string;
  readonly viewerId: string;
  readonly direction: "received" | "sent" | "all";
  readonly statuses: readonly string[];
  readonly kinds: readonly string[];
}

type Database = Pick<ReadContext, "sql">;

/** A payment at its place in a list. */
type ListedTransaction = TransactionRecord & { readonly position: string };

const ALL_KINDS = ["payment", "batch", "recharge", "qr", "refund"] as const;
const ALL_STATUSES = ["pending", "approved", "rejected", "reversed"] as const;

/** The columns that name the user, one for each side of a payment. */
const SIDES = { received: ["to_user_id"], sent: ["from_user_id"], all: ["to_user_id", "from_user_id"] } as const;

function filterCondition({ sql }: Database, filter: TransactionFilter) {
  const { viewerId, statuses, kinds } = filter;
  // Stated for the planner, which would search all payments of the user for none.
  if (statuses.length === 0) return sql`false`;
  const isAsked = sql`${visibleTo(sql, viewerId)} and status = any(${[...statuses]}) and kind = any(${[...kinds]})`;
  return sql`${withoutSelectivity(sql, isAsked)} and ${recordedIn(sql, filter, { at: "created_at", ids: ["id"] })}`;
}

/** Returns a rare filter that has an index of its own: one status but approved, or one kind but payment. */
function seldomOf({ sql }: Database, { statuses, kinds }: TransactionFilter) {
  const [status = "approved"] = statuses.length === 1 ? statuses : [];
  const [kind = "payment"] = kinds.length === 1 ? kinds : [];
  if (status !== "approved") return { lead: "status", value: status, isSeldom: sql`status <> 'approved'` };
  if (kind !== "payment") return { lead: "kind", value: kind, isSeldom: sql`kind <> 'payment'` };
  return undefined;
}

/** Returns the scans of a filter, each of one index: sides of payments, as the viewer sees them. */
function partsOf(service: Database, filter: TransactionFilter) {
  const { sql } = service;
  const { userId, creatorId, viewerId } = filter;
  const seldom = viewerId === creatorId ? seldomOf(service, filter) : undefined;
  return SIDES[filter.direction].map((column) => {
    if (seldom === undefined) return visibleSide(sql, { table: "transactions", column, userId, creatorId, viewerId });
    const { condition, ...orders } = indexWalk(sql, { ...seldom, type: "text", id: "id", ids: "descending" });
    const seen = sql`${condition} and ${sql(column)} = ${userId} and ${seldom.isSeldom}`;
    if (column === "from_user_id") return { condition: seen, ...orders };
    return { condition: sql`${seen} and ${seenByReceiver(sql, "transactions")}`, ...orders };
  });
}

/**
 * Reads a page of a user's payments that a filter lets through, newest first, and one payment more, which shows that
 * another page follows; each direction has its own index.
 */
export async function selectTransactions(
  service: Database,
  filter: TransactionFilter,
  { limit, before }: Pick<SyncPage, "limit" | "before">,
): Promise<readonly TransactionRecord[]> {
  const { sql } = service;
  const sides = partsOf(service, filter).map(
    ({ condition, newestFirst }) => sql`
      (select ${columnsOf(sql, TRANSACTIONS)} from service.transactions
      where ${condition} and ${filterCondition(service, filter)}
        ${before === null ? sql`` : sql`and id < ${before}`}
      ${newestFirst} limit ${limit + 1})`,
  );
  const union = sides.reduce((left, right) => sql`${left} union all ${right}`);
  return sql<TransactionRecord[]>`select * from (${union}) sides order by id desc limit ${limit + 1}`;
}

/**
 * Reads a page of a user's payments that were recorded or changed after an id, oldest change first, and one row more: a
 * payment comes once for its recording and once for each change, in its present state.
 */
export async function selectChangedTransactions(
  service: Database,
  filter: TransactionFilter,
  { limit, after }: Pick<SyncPage, "limit" | "after">,
): Promise<readonly ListedTransaction[]> {
  const { sql } = service;
  const recorded = partsOf(service, filter).map(
    ({ condition, oldestFirst }) => sql`
      (select ${columnsOf(sql, TRANSACTIONS)}, id as position from service.transactions
      where ${condition} and id > ${after} and ${filterCondition(service, filter)}
      ${oldestFirst} limit ${limit + 1})`,
  );
  const { userId: value } = filter;
  const changes = indexWalk(sql, { lead: "user_id", value, id: "change_id", ids: "ascending" });
  const isSide = SIDES[filter.direction].map((column) => sql`${sql(column)} = ${filter.userId}`);
  const changed = sql`
    (select t.*, change_id as position
    from service.transaction_changes cross join lateral (
      select ${columnsOf(sql, TRANSACTIONS)} from service.transactions
      where id = transaction_id and (${isSide.reduce((left, right) => sql`${left} or ${right}`)})
        and ${filterCondition(service, filter)} offset 0) t
    where ${changes.condition} and change_id > ${after} ${changes.oldestFirst} limit ${limit + 1})`;
  const union = [...recorded, changed].reduce((left, right) => sql`${left} union all ${right}`);
  return sql<ListedTransaction[]>`select * from (${union}) changes order by position limit ${limit + 1}`;
}

async function list(
  service: ReadContext,
  filter: Omit<TransactionFilter, "creatorId">,
  page: SyncPage,
): Promise<Reply<contract.Transaction[]>> {
  const seen = { ...filter, ...(await requireUser(service, filter.userId)) };
  const found =
    page.after === null
      ? (await selectTransactions(service, seen, page)).map((row) => ({ ...row, position: row.id }))
      : await selectChangedTransactions(service, seen, page);
  const { rows, end } = cutSyncPage(found, page);
  return { body: rows.map((row) => transactionAnswer(row, filter.viewerId, service)), ...end };
}

/**
 * Lists the payments of a user that the caller may see: received, sent or both; received where the query does not say.
 */
export function transactionHistory(service: ReadContext): Handler<typeof contract.transactionHistory, ApiCaller> {
  return async ({ query, principal }) => {
    const filter = {
      userId: query["user-id"],
      viewerId: principal.entityId,
      direction: query.direction ?? "received",
      statuses: query.status === undefined ? ALL_STATUSES : [query.status],
      kinds: query.kind === undefined ? ALL_KINDS : [query.kind],
      ...readListPeriod(service.time, query),
    };
    return list(service, filter, await readSyncPage(query, service));
  };
}

/** Lists the settled payments that a user received; refunds only when they are asked for. */
export function receivedPayments(service: ReadContext): Handler<typeof contract.receivedPayments, ApiCaller> {
  const settled = ["approved", "reversed"];
  return async ({ query, principal }) => {
    const filter = {
      userId: query["user-id"],
      viewerId: principal.entityId,
      direction: "received" as const,
      statuses: query.status === undefined ? settled : settled.filter((status) => status === query.status),
      kinds: query.kind === undefined ? ALL_KINDS.filter((kind) => kind !== "refund") : [query.kind],
      ...readListPeriod(service.time, query),
    };
    return list(service, filter, await readSyncPage(query, service));
  };
}
