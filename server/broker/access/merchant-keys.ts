import type { Sql, Tx } from "../../database/connect.ts";
import { hashToken, isOpaqueToken } from "./opaque-token.ts";
import type { MerchantPrincipal, PublishablePrincipal } from "./principal.ts";

/**
 * Finds the merchant of an `sk_` or `pk_` key, as a principal; undefined for a key that is unknown or revoked, or whose
 * merchant is disabled.
 */
export async function findMerchant(
  sql: Sql,
  token: string,
): Promise<MerchantPrincipal | PublishablePrincipal | undefined> {
  if (!isOpaqueToken(token)) return undefined;
  const [principal] = await sql<(MerchantPrincipal | PublishablePrincipal)[]>`
    select case k.kind when 'server' then 'merchant' else k.kind end as kind, m.id as "merchantId",
      m.user_id as "userId", m.name, k.key_hash as "keyHash", m.open_amount_limit as "openAmountLimit",
      k.sells_top_ups as "sellsTopUps", k.first_party as "firstParty", k.refunds,
      m.sells_top_ups and not k.sells_top_ups as restricted,
      array(select origin from broker.merchant_origins where merchant_id = m.id) as origins
    from broker.merchant_keys k join broker.merchants m on m.id = k.merchant_id
    where k.key_hash = ${hashToken(token)} and k.revoked_at is null and m.disabled_at is null`;
  return principal;
}

/**
 * True if a merchant's key is not revoked and still has all powers that it authenticated with; waits for a transaction
 * that revokes the key or takes a power from it.
 */
export async function isLiveKey(
  sql: Sql | Tx,
  {
    keyHash,
    sellsTopUps,
    firstParty,
    refunds,
  }: Pick<MerchantPrincipal, "keyHash" | "sellsTopUps" | "firstParty" | "refunds">,
): Promise<boolean> {
  const found = await sql`
    select from broker.merchant_keys
    where key_hash = ${keyHash} and revoked_at is null and sells_top_ups >= ${sellsTopUps}
      and first_party >= ${firstParty} and refunds >= ${refunds} for share`;
  return found.length > 0;
}

/**
 * True if the origin is listed for any merchant, even a disabled one: a preflight carries no token that would say for
 * which.
 */
export async function anyMerchantHasOrigin(sql: Sql, origin: string): Promise<boolean> {
  const found = await sql`select from broker.merchant_origins where origin = ${origin} limit 1`;
  return found.length > 0;
}
