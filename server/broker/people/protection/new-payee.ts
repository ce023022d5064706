import type { Sql, Tx } from "../../../database/connect.ts";

/**
 * The period of the limit for new payees, in milliseconds: 24 hours. A payee is new until enough was paid to it longer
 * ago than this; until then, payments of one period share the limit.
 */
export const NEW_PAYEE_MS = 24 * 60 * 60_000;

/**
 * Sums the payments and transfers here from a user to a payee since a moment, those under way too, and finds when the
 * first of them began.
 */
export async function paidLately(
  sql: Sql | Tx,
  userId: string,
  payeeId: string,
  since: Date,
): Promise<{ readonly sum: bigint; readonly first: Date | null }> {
  const [row] = await sql<{ sum: bigint; first: Date | null }[]>`
    select coalesce(sum(amount), 0)::bigint as sum, min(started_at) as first from broker.approvals
    where user_id = ${userId} and payee_id = ${payeeId} and started_at >= ${since}
      and state in ('running', 'approved') and operation <> 'refund'`;
  return row ?? { sum: 0n, first: null };
}

/** Sums the approved transfers here from a user to a payee that began before a moment. */
export async function transferredBefore(sql: Sql, userId: string, payeeId: string, before: Date): Promise<bigint> {
  const [row] = await sql<{ sum: bigint }[]>`
    select coalesce(sum(amount), 0)::bigint as sum from broker.approvals
    where user_id = ${userId} and payee_id = ${payeeId} and started_at < ${before} and state = 'approved'
      and operation = 'transfer'`;
  return row?.sum ?? 0n;
}
