import type { Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/transactions.ts";
import { formatAmount } from "../../../src/money.ts";
import type { Sql } from "../../database/connect.ts";
import { cutPage, type Page, readPage } from "../page.ts";
import { type ApiCaller, type Currency, type ServiceContext, toNumber } from "../service-context.ts";
import { requireUser } from "../users/require-user.ts";

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
 * A page of receivers, each with its latest payments, from one snapshot. It goes down the roll-up of what the user
 * paid to each, which every posting keeps: so the cost of a page is that of its receivers, whatever was paid. Who pays
 * was created by who debits, so the payer's creator sees every pair whole, and a receiver's creator those of its own.
 */
export function summaryStatement(
  sql: Sql,
  { userId, viewerId }: { readonly userId: string; readonly viewerId: string },
  { limit, before }: Pick<Page, "limit" | "before">,
) {
  return sql`
    select r.first_settled_id as "firstId", u.id as "receiverId", u.name as "receiverName", r.total::text,
      r.pending + r.approved + r.rejected + r.reversed as count, r.first_at as "firstAt", r.last_at as "lastAt",
      r.pending, r.approved, r.rejected, r.reversed,
      t.id, t.reference, t.kind, t.status, t.reason, t.amount, t.date, t.created_at as "createdAt"
    from (
      select * from service.payee_totals
      where from_user_id = ${userId} and (from_creator_id = ${viewerId} or to_creator_id = ${viewerId})
        and ${before === null ? sql`first_settled_id is not null` : sql`first_settled_id < ${before}`}
      order by first_settled_id desc limit ${limit + 1}) r
    join service.users u on u.id = r.to_user_id
    cross join lateral (select * from service.transactions where id = any(r.latest)) t
    order by r.first_settled_id desc, t.id desc`;
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
