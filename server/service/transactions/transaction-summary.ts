import type * as contract from "../../../src/contract/service/transactions.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { formatAmount } from "../../../src/money.ts";
import type { Sql } from "../../database/connect.ts";
import type { TransactionRecord } from "../../ledger/model/command.ts";
import { requireUser } from "../shared/require-user.ts";
import { type ApiCaller, type Currency, type ReadContext, toNumber } from "../shared/service-context.ts";
import { cutSyncPage, readSyncPage, type SyncPage } from "../shared/sync-page.ts";
import { visibleSide } from "../shared/visible-side.ts";
import { freshPayeeTotals, payeeTotals } from "./payee-totals.ts";
import { visibleTo } from "./transaction-answer.ts";

/** One of the latest payments to a receiver, beside what all of them come to. */
interface SummaryRow
  extends Pick<TransactionRecord, "reference" | "kind" | "status" | "reason" | "amount" | "date" | "createdAt"> {
  /**
   * The first settled payment to the receiver: its place in the list, which no later payment changes. Among changes,
   * the latest one of a payment to it.
   */
  readonly position: string;
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
  /** Null where none of the latest reached the receiver, and the viewer created that one alone. */
  readonly id: string | null;
}

interface Who {
  readonly userId: string;
  readonly creatorId: string;
  readonly viewerId: string;
}

/** Receivers of folded payments, newest first: one more than a page. */
function newestReceivers(sql: Sql, { userId, viewerId }: Who, { limit, before }: Pick<SyncPage, "limit" | "before">) {
  return sql`
    select to_user_id from service.payee_totals
    where from_user_id = ${userId} and (from_creator_id = ${viewerId} or to_creator_id = ${viewerId})
      and ${before === null ? sql`first_settled_id is not null` : sql`first_settled_id < ${before}`}
    order by first_settled_id desc limit ${limit + 1}`;
}

/** Receivers whose payments were recorded or changed after an id, with the latest change of each. */
function changedReceivers(sql: Sql, who: Who, after: string) {
  const { userId } = who;
  return sql`
    select distinct on (to_user_id) to_user_id, position from (
      select to_user_id, kind, id as position from service.transactions
      where ${visibleSide(sql, { table: "transactions", column: "from_user_id", ...who }).condition} and id > ${after}
      union all
      select to_user_id, kind, change_id
      from service.transaction_changes join service.transactions on id = transaction_id
      where user_id = ${userId} and change_id > ${after} and from_user_id = ${userId}) changes
    where kind <> 'refund' order by to_user_id, position desc`;
}

/**
 * Builds the statement of a page of receivers, each with its latest payments. It reads the roll-up of the user's
 * payments to each, and the user's payments of the last minute, which are not added to it yet: so the cost of a page is
 * that of its receivers, however many payments there were. The debiting entity created the payer, so the payer's
 * creator sees every pair whole, and a receiver's creator those of its own.
 */
export function summaryStatement(sql: Sql, who: Who, page: Pick<SyncPage, "limit" | "before" | "after">) {
  const { userId, viewerId } = who;
  const { limit, before, after } = page;
  const receivers = after === null ? newestReceivers(sql, who, page) : changedReceivers(sql, who, after);
  const folded = sql`
    select * from service.payee_totals where from_user_id = ${userId}
      and to_user_id = any(array(select to_user_id from receivers union select to_user_id from fresh))`;
  const totals = payeeTotals(sql, { folded, fresh: sql`select * from fresh` });
  const [position, changed, direction] =
    after === null
      ? [sql`first_settled_id`, sql``, sql`desc`]
      : [sql`c.position`, sql`join receivers c using (to_user_id)`, sql`asc`];
  return sql`
    with receivers as materialized (${receivers}),
    fresh as materialized (${freshPayeeTotals(sql, { payerId: userId })})
    select r.position, u.id as "receiverId", u.name as "receiverName", r.total::text,
      r.pending + r.approved + r.rejected + r.reversed as count, r.first_at as "firstAt", r.last_at as "lastAt",
      r.pending, r.approved, r.rejected, r.reversed,
      t.id, t.reference, t.kind, t.status, t.reason, t.amount, t.date, t.created_at as "createdAt"
    from (
      select ${position} as position, totals.* from (${totals}) totals ${changed}
      where first_settled_id is not null and (from_creator_id = ${viewerId} or to_creator_id = ${viewerId})
        ${before === null ? sql`` : sql`and first_settled_id < ${before}`}
      order by position ${direction} limit ${limit + 1}) r
    join service.users u on u.id = r.to_user_id
    left join lateral (
      select * from service.transactions where id = any(r.latest) and ${visibleTo(sql, viewerId)}) t on true
    order by r.position ${direction}, t.id desc`;
}

function paymentOf(id: string, row: SummaryRow, currency: Currency): contract.SummaryPayment {
  return {
    id,
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
      latest: latest.flatMap((row) => (row.id === null ? [] : [paymentOf(row.id, row, currency)])),
    },
  };
}

/**
 * Lists the receivers that a user has paid, each with the total less refunds and the latest payments. The receiver
 * whose first settled payment is the newest comes first; later payments do not move a receiver.
 */
export function transactionSummary(service: ReadContext): Handler<typeof contract.transactionSummary, ApiCaller> {
  const { sql, currency } = service;
  return async ({ query, principal }) => {
    const page = await readSyncPage(query, service);
    const userId = query["user-id"];
    const who = { userId, viewerId: principal.entityId, ...(await requireUser(service, userId)) };
    const latest = Map.groupBy(
      await sql<SummaryRow[]>`${summaryStatement(sql, who, page)}`,
      ({ receiverId }) => receiverId,
    );
    const receivers = [...latest.values()].flatMap(([row]) => row ?? []);
    const { rows, end } = cutSyncPage(receivers, page);
    const body = rows.map((row) => itemOf(row, latest.get(row.receiverId) ?? [], currency));
    return { body, ...end };
  };
}
