import type { Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/transactions.ts";
import { formatAmount } from "../../../src/money.ts";
import type { Sql } from "../../database/connect.ts";
import { cutPage, type Page, readPage } from "../page.ts";
import { type ApiCaller, type Currency, type ServiceContext, toNumber } from "../service-context.ts";
import { requireUser } from "../users/require-user.ts";
import { visibleTo } from "./transaction-answer.ts";

/** How many of the latest payments to a receiver its item carries. */
const LATEST_LENGTH = 10;

/** One of the latest payments to a receiver, beside what all of them come to. */
interface SummaryRow {
  /** The first settled payment to the receiver: its place in the list, which no later payment changes. */
  readonly firstId: string;
  readonly receiverId: string;
  readonly receiverName: string;
  readonly total: string;
  readonly count: bigint;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly pending: bigint;
  readonly approved: bigint;
  readonly rejected: bigint;
  readonly reversed: bigint;
  readonly id: string;
  readonly reference: string;
  readonly kind: string;
  readonly status: string;
  readonly reason: string | null;
  readonly amount: bigint;
  readonly date: Date;
  readonly createdAt: Date;
}

/**
 * A page of receivers, each with its latest payments, from one snapshot. It goes down the index of what the user sent,
 * once: the cost of every page is the number of payments that this user ever sent, whatever all others did. A refund
 * pays nobody; it is in what is subtracted. A reversed payment was given back whole, so approved ones make the total.
 */
export function summaryStatement(
  sql: Sql,
  { userId, viewerId }: { readonly userId: string; readonly viewerId: string },
  { limit, before }: Page,
) {
  const count = (status: string) => sql`count(*) filter (where status = ${status}) as ${sql(status)}`;
  // Before PostgreSQL 18 there is no min(uuid); the text of ids sorts as they do.
  const firstId = sql`min(id::text collate "C") filter (where status in ('approved', 'reversed'))`;
  return sql`
    with sent as materialized (
      select id, reference, kind, status, reason, amount, date, created_at, to_user_id from service.transactions
      where from_user_id = ${userId} and kind <> 'refund' and ${visibleTo(sql, viewerId)}),
    receivers as (
      select to_user_id, ${firstId} as first_id, count(*), min(created_at) as first_at, max(created_at) as last_at,
        coalesce(sum(amount) filter (where status = 'approved'), 0)::text as total,
        ${count("pending")}, ${count("approved")}, ${count("rejected")}, ${count("reversed")}
      from sent group by to_user_id
      having ${before === null ? sql`${firstId} is not null` : sql`${firstId} < ${before}`}
      order by first_id desc limit ${limit + 1}),
    latest as (
      select *, row_number() over (partition by to_user_id order by id desc) as place from sent
      where to_user_id in (select to_user_id from receivers))
    select r.first_id as "firstId", u.id as "receiverId", u.name as "receiverName", r.total, r.count,
      r.first_at as "firstAt", r.last_at as "lastAt", r.pending, r.approved, r.rejected, r.reversed,
      l.id, l.reference, l.kind, l.status, l.reason, l.amount, l.date, l.created_at as "createdAt"
    from receivers r join service.users u on u.id = r.to_user_id
    join latest l on l.to_user_id = r.to_user_id and l.place <= ${LATEST_LENGTH}
    order by r.first_id desc, l.id desc`;
}

function paymentOf(row: SummaryRow, currency: Currency): contract.SummaryPayment {
  return {
    id: row.id,
    reference: row.reference,
    kind: row.kind as contract.SummaryPayment["kind"],
    status: row.status as contract.SummaryPayment["status"],
    ...(row.reason === null ? {} : { reason: row.reason as NonNullable<contract.SummaryPayment["reason"]> }),
    amount: toNumber(currency, row.amount),
    date: row.date.toISOString(),
    created_at: row.createdAt.toISOString(),
  };
}

function itemOf(first: SummaryRow, latest: readonly SummaryRow[], currency: Currency): contract.SummaryItem {
  return {
    _id: first.receiverId,
    to_user: first.receiverName,
    total_amount: formatAmount(BigInt(first.total), currency.digits),
    transactions: {
      count: Number(first.count),
      first_date: first.firstAt.toISOString(),
      last_date: first.lastAt.toISOString(),
      by_status: {
        pending: Number(first.pending),
        approved: Number(first.approved),
        rejected: Number(first.rejected),
        reversed: Number(first.reversed),
      },
      latest: latest.map((row) => paymentOf(row, currency)),
    },
  };
}

/** Lists whom a user has paid, and how much, newest receiver first. */
export function transactionSummary(service: ServiceContext): Handler<typeof contract.transactionSummary, ApiCaller> {
  const { sql, currency } = service;
  return async ({ query, principal }) => {
    const page = readPage(query);
    const who = { userId: query["user-id"], viewerId: principal.entityId };
    await requireUser(service, who.userId);
    const latest = Map.groupBy(
      await sql<SummaryRow[]>`${summaryStatement(sql, who, page)}`,
      ({ receiverId }) => receiverId,
    );
    const receivers = [...latest.values()].flatMap(([row]) => (row === undefined ? [] : [{ ...row, id: row.firstId }]));
    const { rows, nextCursor } = cutPage(receivers, page);
    const body = rows.map((row) => itemOf(row, latest.get(row.receiverId) ?? [], currency));
    return { body, nextCursor };
  };
}
