import type { Sql } from "../../database/connect.ts";

/** Retention of answers, the same as the service's. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Forgets what operators were answered 30 days ago: a copy of such a request is a new one. */
export async function forgetOperatorAnswers(sql: Sql, now: Date): Promise<void> {
  await sql`delete from broker.operator_answers where created_at < ${new Date(now.getTime() - KEPT_MS)}`;
}
