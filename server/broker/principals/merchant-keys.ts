import type { Sql } from "../../database/connect.ts";
import { hashToken, isOpaqueToken } from "./opaque-token.ts";
import type { MerchantPrincipal, PublishablePrincipal, WidgetPrincipal } from "./principal.ts";

interface MerchantRow {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly open_amount_limit: bigint | null;
  readonly kind: "server" | "publishable";
}

interface WidgetRow {
  readonly id: string;
  readonly user_id: string;
  readonly origin: string;
  readonly reference: string;
  readonly shown_until: Date;
}

/** Whose `sk_` or `pk_` key this is; undefined for one that is unknown or revoked. */
export async function findMerchant(
  sql: Sql,
  token: string,
): Promise<MerchantPrincipal | PublishablePrincipal | undefined> {
  if (!isOpaqueToken(token)) return undefined;
  const [row] = await sql<MerchantRow[]>`
    select m.id, m.user_id, m.name, m.open_amount_limit, k.kind
    from broker.merchant_keys k join broker.merchants m on m.id = k.merchant_id
    where k.key_hash = ${hashToken(token)} and k.revoked_at is null`;
  if (row === undefined) return undefined;
  return {
    kind: row.kind === "server" ? "merchant" : "publishable",
    merchantId: row.id,
    userId: row.user_id,
    name: row.name,
    openAmountLimit: row.open_amount_limit ?? undefined,
  };
}

/** Which widget session this `ws_` token is, while it may be shown. */
export async function findWidgetSession(sql: Sql, token: string, at: Date): Promise<WidgetPrincipal | undefined> {
  if (!isOpaqueToken(token)) return undefined;
  const [row] = await sql<WidgetRow[]>`
    select s.id, m.user_id, s.origin, s.reference, s.shown_until
    from broker.widget_sessions s join broker.merchants m on m.id = s.merchant_id
    where s.token_hash = ${hashToken(token)}`;
  if (row === undefined || at >= row.shown_until) return undefined;
  const { id: sessionId, user_id: userId, origin, reference, shown_until: shownUntil } = row;
  return { kind: "widget", sessionId, userId, origin, reference, shownUntil };
}

/** Whether the merchant listed the origin as one of its own. */
export async function merchantHasOrigin(sql: Sql, merchantId: string, origin: string): Promise<boolean> {
  const found = await sql`
    select from broker.merchant_origins where merchant_id = ${merchantId} and origin = ${origin}`;
  return found.length > 0;
}

/** Whether any merchant listed the origin: all that is known of a preflight, which carries no token. */
export async function anyMerchantHasOrigin(sql: Sql, origin: string): Promise<boolean> {
  const found = await sql`select from broker.merchant_origins where origin = ${origin} limit 1`;
  return found.length > 0;
}
