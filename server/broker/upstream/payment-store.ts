import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
import { limitText, type PaymentOutcome } from "./resolve-outcome.ts";

/** The stored fields that approvals, top-ups and refunds share: all are payments that the broker sends. */
export interface PaymentRow {
  readonly id: string;
  readonly state: string;
  readonly created_at: Date;
  readonly started_at?: Date | null;
}

/** The table in which one kind of payments is stored: approvals, top-ups or the refunds of merchants. */
export interface PaymentTable {
  readonly name: "broker.approvals" | "broker.recharges" | "broker.refunds";
  /** The column that says since when it may have been sent. */
  readonly since: "started_at" | "created_at";
  /** The columns that handlers see. */
  readonly columns: (sql: Sql | Tx) => SqlPart;
  /**
   * SQL condition: a payment of the table must not be sent any more, because its payer was frozen, or its till or
   * merchant stopped.
   */
  readonly isBlocked: (sql: Sql | Tx) => SqlPart;
}

/** A stored payment, and if it may be sent. */
export type Sendable<R extends PaymentRow> = R & { readonly is_blocked: boolean };

/**
 * A group of payments to settle: those whose outcome is unknown (`running`), or those whose failure was reported before
 * it was certain (`unconfirmed`).
 */
export type Pending = "running" | "unconfirmed";

/** The page of pending payments to settle next. */
interface PendingPart<R> {
  /** Only payments that began before this time. */
  readonly before: Date;
  /** The list goes on after this one. */
  readonly after: R | undefined;
  readonly limit: number;
}

function outcomeColumns(tx: Sql | Tx, outcome: PaymentOutcome) {
  const { state, transactionId = null, transactionReference = null, reason = null } = outcome;
  return tx`state = ${state}, transaction_id = ${transactionId}, transaction_reference = ${transactionReference},
    reason = ${reason}, exceeded_limit = ${limitText(outcome)}`;
}

/** Finds a payment of a table by its id, and if it may be sent. */
export async function findPayment<R extends PaymentRow>(
  sql: Sql,
  { name, columns, isBlocked }: PaymentTable,
  id: string,
): Promise<Sendable<R> | undefined> {
  const [row] = await sql<Sendable<R>[]>`
    select ${columns(sql)}, ${isBlocked(sql)} as is_blocked from ${sql(name)} where id = ${id}`;
  return row;
}

/** An outcome to record, of the payment with this id. */
export interface KnownOutcome {
  readonly id: string;
  readonly outcome: PaymentOutcome;
  readonly at: Date;
}

/**
 * The statement that records the outcome of a running payment, once, and returns the payment; it returns nothing if
 * the outcome was recorded already.
 */
export function settlementOf(
  sql: Sql | Tx,
  { name, columns }: PaymentTable,
  { id, outcome, at }: KnownOutcome,
): SqlPart {
  return sql`
    update ${sql(name)} set ${outcomeColumns(sql, outcome)}, finished_at = ${at}
    where id = ${id} and state = 'running' returning ${columns(sql)}`;
}

/**
 * The statement that replaces, by the outcome, a failure that was reported before it was certain, and returns the
 * payment; it returns nothing if the failure was certain already.
 */
export function correctionOf(
  sql: Sql | Tx,
  { name, columns }: PaymentTable,
  { id, outcome, at }: KnownOutcome,
): SqlPart {
  return sql`
    update ${sql(name)} set ${outcomeColumns(sql, outcome)}, corrected_at = ${at}, unconfirmed = false
    where id = ${id} and unconfirmed returning ${columns(sql)}`;
}

/** Records that a failure that was reported before it was certain is certain now. */
export async function confirmFailure(sql: Sql, { name }: PaymentTable, id: string): Promise<void> {
  await sql`update ${sql(name)} set unconfirmed = false where id = ${id} and unconfirmed`;
}

/**
 * Lists a page of one group of pending payments, those that began before a time, the oldest first, so that none waits
 * behind newer ones for ever.
 */
export async function pendingPayments<R extends PaymentRow>(
  sql: Sql,
  { name, since, columns }: PaymentTable,
  which: Pending,
  { before, after, limit }: PendingPart<R>,
): Promise<readonly R[]> {
  return sql<R[]>`
    select ${columns(sql)} from ${sql(name)}
    where ${which === "running" ? sql`state = 'running'` : sql`unconfirmed`} and ${sql(since)} < ${before}
      ${after === undefined ? sql`` : sql`and (${sql(since)}, id) > (${after[since] ?? null}, ${after.id})`}
    order by ${sql(since)}, id limit ${limit}`;
}
