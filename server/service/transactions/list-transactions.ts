import type { Handler, Reply } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/transactions.ts";
import type { TransactionRecord } from "../../ledger/command.ts";
import { transactionColumns } from "../../ledger/load-state.ts";
import { cutPage, type Page, readPage } from "../page.ts";
import type { ApiCaller, ServiceContext } from "../service-context.ts";
import { requireUser } from "../users/require-user.ts";
import { transactionAnswer, visibleTo } from "./transaction-answer.ts";

/** Which payments of a user are listed. */
export interface TransactionFilter {
  readonly userId: string;
  readonly viewerId: string;
  readonly direction: "received" | "sent" | "all";
  readonly statuses: readonly string[];
  readonly kinds: readonly string[];
  readonly from: Date | null;
  readonly to: Date | null;
}

const ALL_KINDS = ["payment", "batch", "recharge", "qr", "refund"] as const;
const ALL_STATUSES = ["pending", "approved", "rejected", "reversed"] as const;

interface ListQuery {
  readonly "from-date"?: string | undefined;
  readonly "to-date"?: string | undefined;
  readonly status?: string | undefined;
  readonly kind?: string | undefined;
}

function periodOf(
  { time }: ServiceContext,
  query: ListQuery,
): { readonly from: Date | null; readonly to: Date | null } {
  const { "from-date": from, "to-date": to } = query;
  const isBareDay = to?.length === 10;
  return {
    from: from === undefined ? null : time.parse(from),
    // A bare day includes that whole day (interface: Periods).
    to: to === undefined ? null : isBareDay ? time.startOf(time.addDays(to, 1)) : time.parse(to),
  };
}

/** Reads one page more than one row, newest first; each direction goes down its own index. */
export async function selectTransactions(
  { sql }: ServiceContext,
  filter: TransactionFilter,
  { limit, before }: Page,
): Promise<TransactionRecord[]> {
  const side = (column: "to_user_id" | "from_user_id") => sql`
    (select ${transactionColumns(sql)} from service.transactions
    where ${sql(column)} = ${filter.userId} and ${visibleTo(sql, filter.viewerId)}
      ${before === null ? sql`` : sql`and id < ${before}`}
      ${filter.from === null ? sql`` : sql`and created_at >= ${filter.from}`}
      ${filter.to === null ? sql`` : sql`and created_at < ${filter.to}`}
      and status = any(${[...filter.statuses]}) and kind = any(${[...filter.kinds]})
    order by id desc limit ${limit + 1})`;
  if (filter.direction === "received") return sql<TransactionRecord[]>`${side("to_user_id")}`;
  if (filter.direction === "sent") return sql<TransactionRecord[]>`${side("from_user_id")}`;
  return sql<TransactionRecord[]>`
    ${side("to_user_id")} union all ${side("from_user_id")} order by id desc limit ${limit + 1}`;
}

async function list(
  service: ServiceContext,
  filter: TransactionFilter,
  page: Page,
): Promise<Reply<contract.Transaction[]>> {
  await requireUser(service, filter.userId);
  const { rows, nextCursor } = cutPage(await selectTransactions(service, filter, page), page);
  return { body: rows.map((row) => transactionAnswer(row, filter.viewerId, service.currency)), nextCursor };
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
      ...periodOf(service, query),
    };
    return list(service, filter, readPage(query));
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
      ...periodOf(service, query),
    };
    return list(service, filter, readPage(query));
  };
}
