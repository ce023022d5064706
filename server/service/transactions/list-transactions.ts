import type { Handler, Reply } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/transactions.ts";
import type { TransactionRecord } from "../../ledger/command.ts";
import { transactionColumns } from "../../ledger/load-state.ts";
import { readListPeriod, recordedIn } from "../list-period.ts";
import { cutSyncPage, type Page, readSyncPage, type SyncPage } from "../page.ts";
import type { PeriodInstants } from "../period-instants.ts";
import type { ApiCaller, ServiceContext } from "../service-context.ts";
import { requireUser } from "../users/require-user.ts";
import { seenParts } from "./seen-parts.ts";
import { transactionAnswer, visibleTo } from "./transaction-answer.ts";

/** Which payments of a user are listed. */
export interface TransactionFilter extends PeriodInstants {
  readonly userId: string;
  readonly viewerId: string;
  readonly direction: "received" | "sent" | "all";
  readonly statuses: readonly string[];
  readonly kinds: readonly string[];
}

/** A payment at its place in a list. */
type ListedTransaction = TransactionRecord & { readonly position: string };

const ALL_KINDS = ["payment", "batch", "recharge", "qr", "refund"] as const;
const ALL_STATUSES = ["pending", "approved", "rejected", "reversed"] as const;

/** The columns that name the user, one for each side of a payment. */
const SIDES = { received: ["to_user_id"], sent: ["from_user_id"], all: ["to_user_id", "from_user_id"] } as const;

function filterCondition({ sql }: ServiceContext, filter: TransactionFilter) {
  return sql`${visibleTo(sql, filter.viewerId)} and ${recordedIn(sql, filter, { at: "created_at", ids: ["id"] })}
    and status = any(${[...filter.statuses]}) and kind = any(${[...filter.kinds]})`;
}

/** The parts of the lists that a filter goes down, each within one index: a side of payments, and who may see it. */
function partsOf({ sql }: ServiceContext, { direction, userId, viewerId }: TransactionFilter) {
  return SIDES[direction].flatMap((column) =>
    seenParts(sql, { column, userId, viewerId }).map((part) => sql`${sql(column)} = ${userId} and ${part}`),
  );
}

/** Reads one page more than one row, newest first; each direction goes down its own index. */
export async function selectTransactions(
  service: ServiceContext,
  filter: TransactionFilter,
  { limit, before }: Page,
): Promise<readonly TransactionRecord[]> {
  const { sql } = service;
  const sides = partsOf(service, filter).map(
    (part) => sql`
      (select ${transactionColumns(sql)} from service.transactions
      where ${part} and ${filterCondition(service, filter)}
        ${before === null ? sql`` : sql`and id < ${before}`}
      order by id desc limit ${limit + 1})`,
  );
  const union = sides.reduce((left, right) => sql`${left} union all ${right}`);
  return sql<TransactionRecord[]>`select * from (${union}) sides order by id desc limit ${limit + 1}`;
}

/**
 * Reads one row more than a page of what was recorded or changed after an id, oldest change first: a record comes once
 * for each, as it stands now.
 */
async function selectChangedTransactions(
  service: ServiceContext,
  filter: TransactionFilter,
  { limit, after }: SyncPage,
): Promise<readonly ListedTransaction[]> {
  const { sql } = service;
  const recorded = partsOf(service, filter).map(
    (part) => sql`
      (select ${transactionColumns(sql)}, id as position from service.transactions
      where ${part} and id > ${after} and ${filterCondition(service, filter)}
      order by id limit ${limit + 1})`,
  );
  const isSide = SIDES[filter.direction].map((column) => sql`${sql(column)} = ${filter.userId}`);
  const changed = sql`
    (select ${transactionColumns(sql)}, change_id as position
    from service.transaction_changes join service.transactions on id = transaction_id
    where user_id = ${filter.userId} and change_id > ${after}
      and (${isSide.reduce((left, right) => sql`${left} or ${right}`)}) and ${filterCondition(service, filter)}
    order by change_id limit ${limit + 1})`;
  const union = [...recorded, changed].reduce((left, right) => sql`${left} union all ${right}`);
  return sql<ListedTransaction[]>`select * from (${union}) changes order by position limit ${limit + 1}`;
}

async function list(
  service: ServiceContext,
  filter: TransactionFilter,
  page: SyncPage,
): Promise<Reply<contract.Transaction[]>> {
  await requireUser(service, filter.userId);
  const found =
    page.after === null
      ? (await selectTransactions(service, filter, page)).map((row) => ({ ...row, position: row.id }))
      : await selectChangedTransactions(service, filter, page);
  const { rows, end } = cutSyncPage(found, page);
  return { body: rows.map((row) => transactionAnswer(row, filter.viewerId, service.currency)), ...end };
}

/** Lists the payments of a user, of every kind and status. */
export function transactionHistory(service: ServiceContext): Handler<typeof contract.transactionHistory, ApiCaller> {
  return async ({ query, principal }) => {
    const filter = {
      userId: query["user-id"],
      viewerId: principal.entityId,
      direction: query.direction ?? "received",
      statuses: query.status === undefined ? ALL_STATUSES : [query.status],
      kinds: query.kind === undefined ? ALL_KINDS : [query.kind],
      ...readListPeriod(service.time, query),
    };
    return list(service, filter, readSyncPage(query, service.clock()));
  };
}

/** Lists the settled money that a user received; refunds only when they are asked for. */
export function receivedPayments(service: ServiceContext): Handler<typeof contract.receivedPayments, ApiCaller> {
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
    return list(service, filter, readSyncPage(query, service.clock()));
  };
}
