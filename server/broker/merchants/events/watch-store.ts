import type { Sql } from "../../../database/connect.ts";
import { hasWebhook, merchantsWithWebhook, sessionColumns, type WebhookSession } from "./webhook-session.ts";

/** The position up to which a merchant's payments and expired codes were polled. */
export interface Watch {
  readonly merchantId: string;
  readonly userId: string;
  /** From when on the whole list is read, while there is no token. */
  readonly since: Date;
  readonly syncToken: string | null;
  /** The cursor of a list that was not read to its end. */
  readonly cursor: string | null;
  readonly expiriesThrough: Date;
}

/**
 * The shortest time between two polls of a merchant: one that has codes that may be paid now, and one that has none.
 */
export interface WatchPace {
  readonly busyMs: number;
  readonly quietMs: number;
}

/** A merchant that took its webhook away and sets another gets events of no more than this of the time between. */
const REREAD = "1 day";
/** Time after its expiry for which a code counts as open: a last-moment payment is seen late. */
const CODE_LAPSED_MS = 60_000;

/**
 * Starts polling the payments of merchants that got a webhook, and stops it for merchants whose webhook was removed.
 */
export async function renewWatches(sql: Sql, now: Date): Promise<void> {
  await sql`
    insert into broker.merchant_watches (merchant_id, since, expiries_through)
    select m.id, f.since, f.since from ${merchantsWithWebhook(sql)}
      cross join lateral (select greatest(hooks.since, ${now}::timestamptz - ${REREAD}::interval) as since) f
    where ${hasWebhook(sql)} and not exists (select from broker.merchant_watches where merchant_id = m.id)
    on conflict (merchant_id) do nothing`;
  await sql`
    delete from broker.merchant_watches w using broker.merchants m
    where m.id = w.merchant_id and m.webhook_url is null`;
}

/** Claims merchants that are due, the least recently polled first, so that no other process polls them now. */
export function claimWatches(
  sql: Sql,
  { busyMs, quietMs }: WatchPace,
  most: number,
  now: Date,
): Promise<readonly Watch[]> {
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  return sql<Watch[]>`
    with due as materialized (
      select w.merchant_id, m.user_id
      from broker.merchant_watches w join ${merchantsWithWebhook(sql)} on m.id = w.merchant_id
      where ${hasWebhook(sql)} and (w.looked_at is null or w.looked_at <= ${ago(quietMs)}
        or (w.looked_at <= ${ago(busyMs)} and (w.cursor is not null or exists (
          select from broker.widget_sessions s
          where s.merchant_id = m.id and s.kind = 'pay' and s.expires_at > ${ago(CODE_LAPSED_MS)} and not exists (
            select from broker.merchant_events e where e.session_id = s.id)))))
      order by w.looked_at nulls first limit ${most} for update of w skip locked)
    update broker.merchant_watches w set looked_at = ${now} from due where w.merchant_id = due.merchant_id
    returning w.merchant_id as "merchantId", due.user_id as "userId", w.since, w.sync_token as "syncToken", w.cursor,
      w.expiries_through as "expiriesThrough"`;
}

/** Saves the position up to which the list of a merchant's payments was read. */
export async function saveCursor(
  sql: Sql,
  { merchantId, syncToken, cursor }: Pick<Watch, "merchantId" | "syncToken" | "cursor">,
): Promise<void> {
  await sql`
    update broker.merchant_watches set sync_token = ${syncToken}, cursor = ${cursor}
    where merchant_id = ${merchantId}`;
}

/**
 * Lists the sessions of a merchant whose codes lapsed since the last look and that have no event yet, and returns the
 * time up to which that list is complete: a full batch ends with its last code, and all that lapse with it.
 */
export async function lapsedSessions(
  sql: Sql,
  { merchantId, expiriesThrough }: Watch,
  { through, most }: { readonly through: Date; readonly most: number },
): Promise<{ readonly sessions: readonly WebhookSession[]; readonly end: Date }> {
  const sessions = await sql<WebhookSession[]>`
    select ${sessionColumns(sql)}
    from broker.widget_sessions s join ${merchantsWithWebhook(sql)} on m.id = s.merchant_id
    where s.merchant_id = ${merchantId} and s.kind = 'pay' and s.expires_at > ${expiriesThrough}
      and s.expires_at <= ${through} and not exists (
        select from broker.merchant_events e where e.session_id = s.id)
    order by s.expires_at fetch first ${most} rows with ties`;
  const last = sessions.at(-1);
  return { sessions, end: last === undefined || sessions.length < most ? through : last.expiresAt };
}

/** Saves the time up to which a merchant's lapsed codes were checked; it never goes back. */
export async function saveExpiriesThrough(sql: Sql, merchantId: string, end: Date): Promise<void> {
  await sql`
    update broker.merchant_watches set expiries_through = ${end}
    where merchant_id = ${merchantId} and expiries_through < ${end}`;
}

/** Schedules the next check of a session whose code lapsed and is not settled, in place of an earlier time. */
export async function scheduleRecheck(sql: Sql, sessionId: string, at: Date): Promise<void> {
  await sql`
    insert into broker.merchant_second_looks (session_id, look_at) values (${sessionId}, ${at})
    on conflict (session_id) do update set look_at = excluded.look_at`;
}

/**
 * Claims sessions that are due for another check of their code; each is due again at `next` unless it is settled
 * before.
 */
export function claimRechecks(
  sql: Sql,
  { most, next }: { readonly most: number; readonly next: Date },
  now: Date,
): Promise<readonly WebhookSession[]> {
  return sql<WebhookSession[]>`
    with due as materialized (
      select session_id from broker.merchant_second_looks where look_at <= ${now}
      order by look_at limit ${most} for update skip locked),
    taken as (
      update broker.merchant_second_looks l set look_at = ${next} from due where l.session_id = due.session_id)
    select ${sessionColumns(sql)}
    from due join broker.widget_sessions s on s.id = due.session_id
      join ${merchantsWithWebhook(sql)} on m.id = s.merchant_id
    where ${hasWebhook(sql)} order by s.expires_at`;
}

/** Ends the checks of these sessions, and of all whose code lapsed before `lapsedBefore`. */
export async function endRechecks(sql: Sql, sessionIds: readonly string[], lapsedBefore: Date): Promise<void> {
  await sql`
    delete from broker.merchant_second_looks l using broker.widget_sessions s
    where s.id = l.session_id and (l.session_id = any(${[...sessionIds]}) or s.expires_at < ${lapsedBefore})`;
}
