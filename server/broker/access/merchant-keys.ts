import type { Sql } from "../../database/connect.ts";
import { hashToken, isOpaqueToken } from "./opaque-token.ts";
import type { MerchantPrincipal, PublishablePrincipal } from "./principal.ts";

interface MerchantRow {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly open_amount_limit: bigint | null;
  readonly sells_top_ups: boolean;
  readonly first_party: boolean;
  readonly restricted: boolean;
  readonly kind: "server" | "publishable";
}

/**
 * Finds the merchant of an `sk_` or `pk_` key, as a principal; undefined for a key that is unknown or revoked, or whose
 * merchant is disabled.
 */
export async function findMerchant(
  sql: Sql,
  token: string,
): Promise<MerchantPrincipal | PublishablePrincipal | undefined> {
  if (!isOpaqueToken(token)) return undefined;
  const keyHash = hashToken(token);
  const [row] = await sql<MerchantRow[]>`
    select m.id, m.user_id, m.name, m.open_amount_limit, k.sells_top_ups, k.first_party, k.kind,
      m.sells_top_ups and not k.sells_top_ups as restricted
    from broker.merchant_keys k join broker.merchants m on m.id = k.merchant_id
    where k.key_hash = ${keyHash} and k.revoked_at is null and m.disabled_at is null`;
  if (row === undefined) return undefined;
  return {
    kind: row.kind === "server" ? "merchant" : "publishable",
    merchantId: row.id,
    userId: row.user_id,
    name: row.name,
    keyHash,
    openAmountLimit: row.open_amount_limit ?? undefined,
    sellsTopUps: row.sells_top_ups,
    firstParty: row.first_party,
    restricted: row.restricted,
  };
}

/**
 * True if a merchant's key is not revoked and still has all powers that it authenticated with; waits for a transaction
 * that revokes the key or takes a power from it.
 */
export async function isLiveKey(
  sql: Sql,
  { keyHash, sellsTopUps, firstParty }: Pick<MerchantPrincipal, "keyHash" | "sellsTopUps" | "firstParty">,
): Promise<boolean> {
  const found = await sql`
    select from broker.merchant_keys
    where key_hash = ${keyHash} and revoked_at is null and sells_top_ups >= ${sellsTopUps}
      and first_party >= ${firstParty} for share`;
  return found.length > 0;
}

/** True if the origin is listed as one of the merchant's own. */
export async function merchantHasOrigin(sql: Sql, merchantId: string, origin: string): Promise<boolean> {
  const found = await sql`
    select from broker.merchant_origins where merchant_id = ${merchantId} and origin = ${origin}`;
  return found.length > 0;
}

/** True if the origin is listed for any merchant: a preflight carries no token that would say for which. */
export async function anyMerchantHasOrigin(sql: Sql, origin: string): Promise<boolean> {
  const found = await sql`select from broker.merchant_origins where origin = ${origin} limit 1`;
  return found.length > 0;
}
