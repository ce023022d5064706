import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
import { isFrozen } from "./freeze-store.ts";

/** How long a grant lasts; giving it again lets it last as long from then on. */
const CONSENT_LIFE_MS = 90 * 24 * 60 * 60_000;

/** A grant with the merchant's name as it is now. */
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

/** The merchant that asks for a grant; undefined for one that is disabled or not there. */
export async function findAskingMerchant(sql: Sql, id: string): Promise<AskingMerchant | undefined> {
  const [row] = await sql<AskingMerchant[]>`
    select m.id, m.name, coalesce(array_agg(o.origin order by o.origin) filter (where o.origin is not null), '{}')
      as origins
    from broker.merchants m left join broker.merchant_origins o on o.merchant_id = m.id
    where m.id = ${id} and m.disabled_at is null
    group by m.id`;
  return row;
}

/** The condition that a grant `g` lets its merchant show the quota: neither taken back nor lapsed. */
export function isLiveConsent(sql: Sql | Tx, at: Date): SqlPart {
  return sql`(g.revoked_at is null and g.lapses_at > ${at})`;
}

/** Which grants of a user: all, or that of one merchant. */
interface ConsentsOf {
  readonly userId: string;
  readonly merchantId?: string;
  readonly at: Date;
}

/** A person's live grants, newest first. */
export async function liveConsents(sql: Sql, { userId, merchantId, at }: ConsentsOf): Promise<readonly ConsentRow[]> {
  return sql<ConsentRow[]>`
    select g.id, g.merchant_id, m.name as merchant, g.created_at, g.last_used_at, g.lapses_at
    from broker.grants g join broker.merchants m on m.id = g.merchant_id
    where g.user_id = ${userId} and ${isLiveConsent(sql, at)}
      ${merchantId ? sql`and g.merchant_id = ${merchantId}` : sql``}
    order by g.created_at desc, g.id desc`;
}

/** A grant as it is given, for the first time or again. */
export interface NewConsent {
  readonly id: string;
  readonly userId: string;
  readonly merchantId: string;
  readonly at: Date;
}

/** Stores a grant; one that the person gave the merchant before, or at the same moment, lasts anew. Answers its id. */
export async function keepConsent(tx: Tx, { id, userId, merchantId, at }: NewConsent): Promise<string> {
  const lapsesAt = new Date(at.getTime() + CONSENT_LIFE_MS);
  const [kept] = await tx<{ id: string }[]>`
    insert into broker.grants (id, user_id, merchant_id, created_at, lapses_at)
    values (${id}, ${userId}, ${merchantId}, ${at}, ${lapsesAt})
    on conflict (user_id, merchant_id) where revoked_at is null do update set lapses_at = excluded.lapses_at
    returning id`;
  return kept?.id ?? id;
}

/** Gives a live grant its next code, in place of the one before; false when the grant was taken back meanwhile. */
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

/** A grant that a merchant may use. */
export interface UsableConsent {
  readonly id: string;
  readonly user_id: string;
}

/**
 * The live grant of a merchant with this code, while the code is good. Locked: of two who bring the same code at once,
 * the second waits, and then finds it used.
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

/** Consumes a grant's code. */
export async function endCode(tx: Tx, id: string, at: Date): Promise<void> {
  await tx`
    update broker.grants set code_hash = null, code_expires_at = null, last_used_at = ${at} where id = ${id}`;
}

/** Revokes a grant; false where it was revoked before, and undefined for one that is not the person's. */
export async function revokeOwnConsent(tx: Tx, userId: string, id: string, at: Date): Promise<boolean | undefined> {
  const [row] = await tx<{ revoked: boolean }[]>`
    with revoked as (
      update broker.grants set revoked_at = ${at} where id = ${id} and user_id = ${userId} and revoked_at is null
      returning id)
    select exists (select from revoked) as revoked from broker.grants where id = ${id} and user_id = ${userId}`;
  return row?.revoked;
}
