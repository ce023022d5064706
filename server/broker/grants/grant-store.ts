import type { Sql, Tx } from "../../database/connect.ts";

/** A grant with the merchant's name as it is now. */
export interface GrantRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly merchant: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
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

/** A person's live grants, newest first; of one merchant where that is named. */
export async function liveGrants(sql: Sql, userId: string, merchantId?: string): Promise<readonly GrantRow[]> {
  return sql<GrantRow[]>`
    select g.id, g.merchant_id, m.name as merchant, g.created_at, g.last_used_at
    from broker.grants g join broker.merchants m on m.id = g.merchant_id
    where g.user_id = ${userId} and g.revoked_at is null ${merchantId ? sql`and g.merchant_id = ${merchantId}` : sql``}
    order by g.created_at desc, g.id desc`;
}

/** Stores a grant; false when the person granted the merchant the same before, or at the same moment. */
export async function insertGrant(
  sql: Sql,
  grant: { readonly id: string; readonly userId: string; readonly merchantId: string; readonly at: Date },
): Promise<boolean> {
  const inserted = await sql`
    insert into broker.grants (id, user_id, merchant_id, created_at)
    values (${grant.id}, ${grant.userId}, ${grant.merchantId}, ${grant.at})
    on conflict (user_id, merchant_id) where revoked_at is null do nothing
    returning id`;
  return inserted.length > 0;
}

/** Gives a live grant its next code, in place of the one before; false when the grant was taken back meanwhile. */
export async function renewCode(
  sql: Sql,
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
export interface UsableGrant {
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
): Promise<UsableGrant | undefined> {
  const [row] = await tx<UsableGrant[]>`
    select id, user_id from broker.grants
    where code_hash = ${code.hash} and code_expires_at > ${code.at} and merchant_id = ${merchantId}
      and revoked_at is null
    for update`;
  return row;
}

/** Uses a grant's code up. */
export async function endCode(tx: Tx, id: string, at: Date): Promise<void> {
  await tx`
    update broker.grants set code_hash = null, code_expires_at = null, last_used_at = ${at} where id = ${id}`;
}

/** Takes a grant back; false for one that is not the person's. Once more changes nothing. */
export async function revokeOwnGrant(sql: Sql, userId: string, id: string, at: Date): Promise<boolean> {
  const revoked = await sql`
    update broker.grants set revoked_at = coalesce(revoked_at, ${at}) where id = ${id} and user_id = ${userId}
    returning id`;
  return revoked.length > 0;
}
