import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
import { isFrozen } from "../freezes/freeze-store.ts";
import { isLiveGrant } from "../grants/grant-store.ts";
import { hashToken, isOpaqueToken } from "./opaque-token.ts";
import type { MerchantPrincipal, PublishablePrincipal, WidgetPrincipal } from "./principal.ts";

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

interface WidgetRow {
  readonly kind: "pay" | "recharge" | "quota";
  readonly id: string;
  readonly merchant_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly origin: string;
  readonly shown_until: Date;
  readonly reference: string | null;
  readonly till: string | null;
  readonly max_amount: bigint | null;
  readonly max_total: bigint | null;
  readonly subject_user_id: string | null;
}

/** Finds the merchant of an `sk_` or `pk_` key; undefined for one that is unknown or revoked. */
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

/** True if a key still has all powers that it authenticated with; waits for a transaction that ends or changes it. */
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

function widgetPrincipal(row: WidgetRow): WidgetPrincipal {
  const { id: sessionId, merchant_id: merchantId, user_id: userId, origin, shown_until: shownUntil } = row;
  const session = { sessionId, merchantId, userId, origin, shownUntil };
  if (row.kind === "recharge") {
    const [till, maxAmount, maxTotal] = [
      row.till ?? undefined,
      row.max_amount ?? undefined,
      row.max_total ?? undefined,
    ];
    return { ...session, kind: "rechargeSession", seller: row.name, till, maxAmount, maxTotal };
  }
  if (row.kind === "quota" && row.subject_user_id !== null) {
    return { ...session, kind: "quotaSession", subjectUserId: row.subject_user_id };
  }
  if (row.kind === "pay" && row.reference !== null) {
    return { ...session, kind: "paySession", reference: row.reference };
  }
  throw new Error(`widget session ${sessionId} lacks what its kind needs`);
}

/**
 * SQL condition: a session `s` of a merchant `m` needs a power that the merchant no longer has, or its user is frozen.
 */
export function mayNoMore(sql: Sql | Tx): SqlPart {
  return sql`((s.kind = 'recharge' and not m.sells_top_ups)
    or (s.kind = 'recharge' and ${isFrozen(sql, sql`m.user_id`)})
    or (s.kind = 'quota' and s.grant_id is null and not m.first_party)
    or (s.kind = 'quota' and ${isFrozen(sql, sql`s.subject_user_id`)}))`;
}

/**
 * SQL: the good widget sessions `s` of merchants `m`: neither expired nor ended, of a merchant that is not disabled,
 * still lists the page's origin and has the power that the session needs, without a grant that lapsed or was revoked.
 */
function goodSessions(sql: Sql | Tx, which: SqlPart, at: Date): SqlPart {
  return sql`
    broker.widget_sessions s
    join broker.merchants m on m.id = s.merchant_id and m.disabled_at is null
    join broker.merchant_origins o on o.merchant_id = s.merchant_id and o.origin = s.origin
    left join broker.grants g on g.id = s.grant_id
    where ${which} and s.shown_until > ${at} and s.ended_at is null
      and (g.id is null or ${isLiveGrant(sql, at)}) and not ${mayNoMore(sql)}`;
}

/** Finds the widget session of a `ws_` token, while it is good. */
export async function findWidgetSession(sql: Sql, token: string, at: Date): Promise<WidgetPrincipal | undefined> {
  if (!isOpaqueToken(token)) return undefined;
  const [row] = await sql<WidgetRow[]>`
    select s.kind, s.id, s.merchant_id, m.user_id, m.name, s.origin, s.shown_until, s.reference, s.till, s.max_amount,
      s.max_total, s.subject_user_id
    from ${goodSessions(sql, sql`s.token_hash = ${hashToken(token)}`, at)}`;
  return row && widgetPrincipal(row);
}

/**
 * True if a widget session is good, in the transaction that commits its request. Requests of one session take turns,
 * and a transaction that ends it, or takes a power that it needs from its merchant, waits until this one is done.
 */
export async function holdWidgetSession(
  tx: Tx,
  { sessionId, merchantId }: Pick<WidgetPrincipal, "sessionId" | "merchantId">,
  at: Date,
): Promise<boolean> {
  await tx`select from broker.merchants where id = ${merchantId} for share`;
  const found = await tx`select from ${goodSessions(tx, tx`s.id = ${sessionId}`, at)} for update of s`;
  return found.length > 0;
}

/** True if the merchant listed the origin as one of its own. */
export async function merchantHasOrigin(sql: Sql, merchantId: string, origin: string): Promise<boolean> {
  const found = await sql`
    select from broker.merchant_origins where merchant_id = ${merchantId} and origin = ${origin}`;
  return found.length > 0;
}

/** True if any merchant listed the origin: a preflight carries no token that would say which merchant. */
export async function anyMerchantHasOrigin(sql: Sql, origin: string): Promise<boolean> {
  const found = await sql`select from broker.merchant_origins where origin = ${origin} limit 1`;
  return found.length > 0;
}
