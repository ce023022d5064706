import type { Language } from "../../../../src/language/languages.ts";
import type { Sql, SqlPart } from "../../../database/connect.ts";
import { isFrozen } from "../../access/freeze-store.ts";
import { ABSOLUTE_LIFE_SECONDS, IDLE_LIFE_SECONDS } from "../../access/session-cookie.ts";
import type { AccountChangeRow } from "../account/account-change-store.ts";

/** A browser that receives push messages, with the keys to encrypt them for (RFC 8291). */
export interface PushSubscription {
  readonly id: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly language: Language;
}

/** A push subscription to store, with its person and sign-in session. */
export interface NewPushSubscription extends PushSubscription {
  readonly sessionHash: Uint8Array;
  readonly personId: string;
}

/** After so many failures in a row nothing is sent any more. */
const MOST_FAILURES = 10;
/**
 * Most subscriptions of one session, ended ones included, of which the first live one stays: a copy of the session
 * silences neither the browser that had it nor any other session.
 */
const MOST_OF_SESSION = 3;

/**
 * Stores a browser's push subscription. One that another person's session left in the same browser moves to this
 * session: an endpoint is a capability that nobody guesses, so a caller that names it is in that browser (RFC 8030
 * §8.3). Asking for the keys stored before would prove nothing more, and leave the next person who signs in there
 * without messages.
 */
export async function savePushSubscription(sql: Sql, { id, ...it }: NewPushSubscription, at: Date): Promise<void> {
  await sql.begin("isolation level read committed", async (tx) => {
    // A writer of several rows of a person locks the person, so that no two wait for each other's.
    await tx`
      select from broker.people
      where id = ${it.personId}
        or id = (select person_id from broker.push_subscriptions where endpoint = ${it.endpoint})
      order by id for no key update`;
    await tx`
      insert into broker.push_subscriptions
        (id, session_hash, person_id, endpoint, p256dh, auth, language, created_at)
      values (${id}, ${it.sessionHash}, ${it.personId}, ${it.endpoint}, ${it.p256dh}, ${it.auth}, ${it.language}, ${at})
      on conflict (endpoint) do update set session_hash = excluded.session_hash, person_id = excluded.person_id,
        p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language,
        created_at = case when push_subscriptions.session_hash = excluded.session_hash
          then push_subscriptions.created_at else excluded.created_at end,
        failures = 0, ended_at = null`;
    await tx`
      delete from broker.push_subscriptions
      where id in (select id from broker.push_subscriptions where session_hash = ${it.sessionHash}
        order by ended_at is null desc,
          created_at = min(created_at) filter (where ended_at is null) over () desc, created_at desc
        offset ${MOST_OF_SESSION})`;
  });
}

/** Ends the push subscription with this endpoint, if it is the person's. */
export async function endPushSubscription(sql: Sql, personId: string, endpoint: string, at: Date): Promise<void> {
  await sql`
    update broker.push_subscriptions set ended_at = ${at}
    where endpoint = ${endpoint} and person_id = ${personId} and ended_at is null`;
}

/** Reads subscriptions of people who signed in there not too long ago, the oldest session first. */
function subscriptions(sql: Sql, which: SqlPart, at: Date): Promise<readonly PushSubscription[]> {
  const before = (seconds: number) => new Date(at.getTime() - seconds * 1000);
  return sql<PushSubscription[]>`
    select u.id, u.endpoint, u.p256dh, u.auth, u.language
    from broker.push_subscriptions u
      join broker.people p on p.id = u.person_id
      join broker.sign_in_sessions s on s.token_hash = u.session_hash
      left join broker.passkeys k on k.id = s.passkey_id
    where ${which} and p.disabled_at is null and u.ended_at is null
      and s.created_at > ${before(ABSOLUTE_LIFE_SECONDS)} and s.last_active_at > ${before(IDLE_LIFE_SECONDS)}
    order by s.created_at, u.created_at`;
}

/** Lists the push subscriptions of a user's browsers that are still signed in; none while the user is frozen. */
export function livePushSubscriptions(sql: Sql, userId: string, at: Date): Promise<readonly PushSubscription[]> {
  const isLive = sql`s.ended_at is null and k.removed_at is null and not ${isFrozen(sql, sql`p.user_id`)}`;
  return subscriptions(sql, sql`p.user_id = ${userId} and ${isLive}`, at);
}

/**
 * Lists the browsers to notify of an account change: all but the one that made it, and those too whose session ended
 * with the change, or with the freeze that it lifts. A person who was just shut out is the one who has to hear of it.
 */
export function subscriptionsToNotify(
  sql: Sql,
  { person_id: personId, session_hash: madeIn, made_at: madeAt }: AccountChangeRow,
  at: Date,
): Promise<readonly PushSubscription[]> {
  const endedByFreeze = sql`exists (
    select from broker.freezes f where f.user_id = p.user_id and f.lifted_at = ${madeAt} and f.begun_at = s.ended_at)`;
  const which = sql`
    p.id = ${personId} and u.session_hash is distinct from ${madeIn}
    and (s.ended_at is null or s.ended_at = ${madeAt} or ${endedByFreeze})
    and (k.removed_at is null or k.removed_at = ${madeAt})`;
  return subscriptions(sql, which, at);
}

/**
 * Records the outcome of a push message on its subscription: `sent` sets the count of failures to zero, `failed` adds
 * one and ends the subscription at ten in a row, and `gone` ends it at once.
 */
export async function countPush(sql: Sql, id: string, outcome: "sent" | "failed" | "gone", at: Date): Promise<void> {
  if (outcome === "sent") {
    await sql`update broker.push_subscriptions set failures = 0 where id = ${id} and failures > 0`;
    return;
  }
  const least = outcome === "gone" ? 0 : MOST_FAILURES;
  await sql`
    update broker.push_subscriptions
    set failures = failures + 1, ended_at = case when failures + 1 >= ${least} then ${at}::timestamptz end
    where id = ${id} and ended_at is null`;
}
