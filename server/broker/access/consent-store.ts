import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
import { isFrozen } from "./freeze-store.ts";

/** How long a grant lasts; giving it again lets it last as long from then on. */
const CONSENT_LIFE_MS = 90 * 24 * 60 * 60_000;

/** A consent as its person sees it: a row of `broker.grants` with the merchant's name as it is now. */
export interface ConsentRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly merchant: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly lapses_at: Date;
}

/** A merchant as a person is shown it before deciding. */
interface AskingMerchant {
  readonly id: string;
  readonly name: string;
  readonly origins: readonly string[];
}

/**
 * Finds a merchant by its id, with the name and the origins that a person is shown whom it asks for a consent, or to
 * let its tills spend their quota; undefined for a merchant that is disabled or does not exist.
 */
export async function findAskingMerchant(sql: Sql, id: string): Promise<AskingMerchant | undefined> {
  const [row] = await sql<AskingMerchant[]>`
    select m.id, m.name, coalesce(array_agg(o.origin order by o.origin) filter (where o.origin is not null), '{}')
      as origins
    from broker.merchants m left join broker.merchant_origins o on o.merchant_id = m.id
    where m.id = ${id} and m.disabled_at is null
    group by m.id`;
  return row;
}

/**
 * SQL condition: the consent `g`, a row of `broker.grants` by which a merchant may show the person's quota, is neither
 * revoked nor lapsed.
 */
export function isLiveConsent(sql: Sql | Tx, at: Date): SqlPart {
  return sql`(g.revoked_at is null and g.lapses_at > ${at})`;
}

/** Which grants of a user: all, or that of one merchant. */
interface ConsentsOf {
  readonly userId: string;
  readonly merchantId?: string;
  readonly at: Date;
}

/** Lists the live consents of a person, newest first: all, or only the one given to `merchantId`. */
export async function liveConsents(sql: Sql, { userId, merchantId, at }: ConsentsOf): Promise<readonly ConsentRow[]> {
  return sql<ConsentRow[]>`
    select g.id, g.merchant_id, m.name as merchant, g.created_at, g.last_used_at, g.lapses_at
    from broker.grants g join broker.merchants m on m.id = g.merchant_id
    where g.user_id = ${userId} and ${isLiveConsent(sql, at)}
      ${merchantId ? sql`and g.merchant_id = ${merchantId}` : sql``}
    order by g.created_at desc, g.id desc`;
}

/** A consent of a user to a merchant as the user gives it, for the first time or again. */
export interface NewConsent {
  readonly id: string;
  readonly userId: string;
  readonly merchantId: string;
  readonly at: Date;
}

/**
 * Stores a person's consent to a merchant for 90 days. Where there is one already, even one of the same moment, it
 * lasts 90 days from now instead. Returns the id of the consent that is stored.
 */
export async function keepConsent(tx: Tx, { id, userId, merchantId, at }: NewConsent): Promise<string> {
  const lapsesAt = new Date(at.getTime() + CONSENT_LIFE_MS);
  const [kept] = await tx<{ id: string }[]>`
    insert into broker.grants (id, user_id, merchant_id, created_at, lapses_at)
    values (${id}, ${userId}, ${merchantId}, ${at}, ${lapsesAt})
    on conflict (user_id, merchant_id) where revoked_at is null do update set lapses_at = excluded.lapses_at
    returning id`;
  return kept?.id ?? id;
}

/**
 * Stores the hash of a new code of a consent, which its merchant exchanges once for a widget session, in place of the
 * code before; returns false where the consent was revoked meanwhile.
 */
export async function renewCode(
  sql: Sql | Tx,
  id: string,
  code: { readonly hash: Uint8Array; readonly expiresAt: Date },
): Promise<boolean> {
  const renewed = await sql`
    update broker.grants set code_hash = ${code.hash}, code_expires_at = ${code.expiresAt}
    where id = ${id} and revoked_at is null
    returning id`;
  return renewed.length > 0;
}

/** A live consent that its merchant may use: its id, and the user whose quota it shows. */
export interface UsableConsent {
  readonly id: string;
  readonly user_id: string;
}

/**
 * Finds the merchant's live consent that has this code, and locks it; undefined where the code is unknown, used or
 * expired, or the user is frozen. Of two requests with the same code the second waits, and then finds it used.
 */
export async function lockByCode(
  tx: Tx,
  merchantId: string,
  code: { readonly hash: Uint8Array; readonly at: Date },
): Promise<UsableConsent | undefined> {
  const [row] = await tx<UsableConsent[]>`
    select g.id, g.user_id from broker.grants g
    where g.code_hash = ${code.hash} and g.code_expires_at > ${code.at} and g.merchant_id = ${merchantId}
      and ${isLiveConsent(tx, code.at)} and not ${isFrozen(tx, tx`g.user_id`)}
    for update`;
  return row;
}

/** Removes the code of a consent, so that it is used only once, and dates the consent's last use. */
export async function endCode(tx: Tx, id: string, at: Date): Promise<void> {
  await tx`
    update broker.grants set code_hash = null, code_expires_at = null, last_used_at = ${at} where id = ${id}`;
}

/**
 * Revokes a consent of that person; returns false where it was revoked before, undefined where the person has none with
 * this id.
 */
export async function revokeOwnConsent(tx: Tx, userId: string, id: string, at: Date): Promise<boolean | undefined> {
  const [row] = await tx<{ revoked: boolean }[]>`
    with revoked as (
      update broker.grants set revoked_at = ${at} where id = ${id} and user_id = ${userId} and revoked_at is null
      returning id)
    select exists (select from revoked) as revoked from broker.grants where id = ${id} and user_id = ${userId}`;
  return row?.revoked;
}
