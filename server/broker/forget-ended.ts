import type { Sql } from "../database/connect.ts";
import type { BrokerOptions } from "./access/broker-options.ts";
import type { Upstream } from "./access/policy/upstream-calls.ts";
import { forgetOperatorAnswers } from "./access/write-idempotently.ts";
import { forgetUnpaidSessions } from "./merchants/sessions/forget-unpaid-sessions.ts";
import { forgetCodes } from "./people/devices/enrolment-code-store.ts";
import { forgetLookUps } from "./people/look-ups/look-up-store.ts";

const DAY_MS = 24 * 60 * 60_000;
const EVERY_MS = 60 * 60_000;

/**
 * Deletes what has expired. Sessions end 30 days after their person's last activity, and are deleted 30 days later;
 * challenges expire within minutes. Records that money depends on stay: consumed approvals, payment sessions that were
 * paid (a shop asks for its order by them, and an order must not get a second code), and those in which a top-up was
 * sold. So does the audit.
 */
async function forgetEnded(sql: Sql, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await forgetLookUps(sql, now);
  await forgetCodes(sql, now);
  await forgetOperatorAnswers(sql, now);
  await sql`delete from broker.challenges where expires_at < ${before(1)}`;
  await sql`delete from broker.enrolments where created_at < ${before(30)}`;
  await sql`delete from broker.account_changes where made_at < ${before(90)}`;
  await sql`delete from broker.sign_in_sessions where last_active_at < ${before(60)}`;
  await sql`delete from broker.approvals where state in ('open', 'withdrawn') and expires_at < ${before(30)}`;
  await sql`
    delete from broker.widget_sessions s
    where kind <> 'pay' and shown_until < ${before(30)}
      and not exists (select from broker.recharges r where r.session_id = s.id)`;
}

/** Makes the function that deletes the broker's expired records: at most once an hour, however often it is called. */
export function createForgetting(
  { sql, clock }: Pick<BrokerOptions, "sql" | "clock">,
  upstream: Upstream,
): () => Promise<void> {
  let doneAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock();
    if (now.getTime() - doneAt < EVERY_MS) return;
    doneAt = now.getTime();
    await forgetEnded(sql, now);
    await forgetUnpaidSessions(sql, upstream, now);
  };
}
