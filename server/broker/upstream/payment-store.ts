import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
import { limitText, type PaymentOutcome } from "./resolve-outcome.ts";

/** The stored fields that approvals and top-ups share: both are payments that the broker sends. */
export interface PaymentRow {
  readonly id: string;
  readonly state: string;
  readonly created_at: Date;
  readonly started_at?: Date | null;
}

/** The table in which one kind of payments is stored: approvals or top-ups. */
export interface PaymentTable {
  readonly name: "broker.approvals" | "broker.recharges";
  /** The column that says since when it may have been sent. */
  readonly since: "started_at" | "created_at";
  /** The columns that handlers see. */
  readonly columns: (sql: Sql | Tx) => SqlPart;
}

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

function outcomeColumns(tx: Tx, outcome: PaymentOutcome) {
  const { state, transactionId = null, transactionReference = null, reason = null } = outcome;
  return tx`state = ${state}, transaction_id = ${transactionId}, transaction_reference = ${transactionReference},
    reason = ${reason}, exceeded_limit = ${limitText(outcome)}`;
}

/** Finds a payment of a table by its id. */
export async function findPayment<R extends PaymentRow>(
  sql: Sql,
  { name, columns }: PaymentTable,
  id: string,
): Promise<R | undefined> {
  const [row] = await sql<R[]>`select ${columns(sql)} from ${sql(name)} where id = ${id}`;
  return row;
}

/** Records the outcome of a running payment, once; undefined if it was recorded already. */
export async function finishPayment<R extends PaymentRow>(
  tx: Tx,
  { name, columns }: PaymentTable,
  { id, outcome, at }: { readonly id: string; readonly outcome: PaymentOutcome; readonly at: Date },
): Promise<R | undefined> {
  const [row] = await tx<R[]>`
    update ${tx(name)} set ${outcomeColumns(tx, outcome)}, finished_at = ${at}
    where id = ${id} and state = 'running' returning ${columns(tx)}`;
  return row;
}

/**
 * Corrects, once, a failure that was reported before it was certain; undefined if it was certain already, or if the
 * payment did fail.
 */
export async function correctPayment<R extends PaymentRow>(
  tx: Tx,
  { name, columns }: PaymentTable,
  { id, outcome, at }: { readonly id: string; readonly outcome: PaymentOutcome; readonly at: Date },
): Promise<R | undefined> {
  const found = await tx`update ${tx(name)} set unconfirmed = false where id = ${id} and unconfirmed returning id`;
  if (found.length === 0 || outcome.state === "failed") return undefined;
  const [row] = await tx<R[]>`
    update ${tx(name)} set ${outcomeColumns(tx, outcome)}, corrected_at = ${at}
    where id = ${id} returning ${columns(tx)}`;
  return row;
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
