import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Sql } from "../../../database/connect.ts";
import { grantOwn } from "../../access/policy/gate.ts";
import type { Upstream } from "../../access/policy/upstream-calls.ts";

/** As long as the service keeps a code that expired unpaid, and a day. */
const KEPT_MS = 91 * 24 * 60 * 60_000;
const SESSIONS_AT_ONCE = 50;
/** A backlog goes on with the next call, so that no call runs without end. */
const MOST_ROUNDS = 100;
/** Final states of a code by which nothing was paid. */
const UNPAID_STATES: readonly string[] = ["expired", "cancelled"];

interface OldSession {
  readonly id: string;
  readonly reference: string;
  /** The merchant's user at the service. */
  readonly userId: string;
}

function findOld(sql: Sql, before: Date): Promise<readonly OldSession[]> {
  return sql<OldSession[]>`
    select s.id, s.reference, m.user_id as "userId"
    from broker.widget_sessions s join broker.merchants m on m.id = s.merchant_id
    where s.kind = 'pay' and not s.is_kept and s.expires_at < ${before}
    order by s.expires_at limit ${SESSIONS_AT_ONCE}`;
}

/** True if the service reports that nothing was paid, or has forgotten the code for that reason. */
async function wasUnpaid(upstream: Upstream, { reference, userId }: OldSession): Promise<boolean> {
  try {
    const { body } = await grantOwn(upstream, "watch", userId).transactionQr({ reference });
    return UNPAID_STATES.includes(body.state);
  } catch (error) {
    if (error instanceof ApiError && error.code === "qr_not_found") return true;
    throw error;
  }
}

/** Deletes unpaid sessions with their expiry events; marks the rest, and those with other events, as kept. */
async function forget(sql: Sql, sessions: readonly OldSession[], unpaid: readonly OldSession[]): Promise<void> {
  const ids = (some: readonly OldSession[]): string[] => some.map(({ id }) => id);
  await sql.begin(async (tx) => {
    await tx`delete from broker.merchant_second_looks where session_id = any(${ids(unpaid)})`;
    await tx`
      delete from broker.merchant_events
      where session_id = any(${ids(unpaid)}) and type = 'payment.expired' and state <> 'waiting'`;
    await tx`
      delete from broker.widget_sessions s
      where id = any(${ids(unpaid)}) and not exists (select from broker.merchant_events e where e.session_id = s.id)`;
    await tx`update broker.widget_sessions set is_kept = true where id = any(${ids(sessions)})`;
  });
}

/**
 * Deletes the payment sessions that expired at least 91 days ago and whose code the service reports as expired or
 * cancelled, or no longer has. Paid ones, and those with webhook events other than their expiry, are marked as kept.
 */
export async function forgetUnpaidSessions(sql: Sql, upstream: Upstream, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const sessions = await findOld(sql, before);
    if (sessions.length === 0) return;
    const unpaid = await Promise.all(sessions.map((session) => wasUnpaid(upstream, session)));
    await forget(
      sql,
      sessions,
      sessions.filter((_, index) => unpaid[index]),
    );
  }
}
