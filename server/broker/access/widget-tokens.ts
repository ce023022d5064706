import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
import { isLiveConsent } from "./consent-store.ts";
import { isFrozen } from "./freeze-store.ts";
import { hashToken, isOpaqueToken } from "./opaque-token.ts";
import type { WidgetPrincipal } from "./principal.ts";

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
  readonly rejected: number;
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
    return { ...session, kind: "paySession", reference: row.reference, rejectedAttempts: row.rejected };
  }
  throw new Error(`widget session ${sessionId} lacks what its kind needs`);
}

/**
 * SQL condition: a widget session `s` of a merchant `m` needs a power that the merchant no longer has, or the user is
 * frozen whose quota it shows or who pays for its top-ups.
 */
export function lacksPower(sql: Sql | Tx): SqlPart {
  return sql`((s.kind = 'recharge' and not m.sells_top_ups)
    or (s.kind = 'recharge' and ${isFrozen(sql, sql`m.user_id`)})
    or (s.kind = 'quota' and s.grant_id is null and not m.first_party)
    or (s.kind = 'quota' and ${isFrozen(sql, sql`s.subject_user_id`)}))`;
}

/**
 * SQL: the good widget sessions `s` of merchants `m`: neither expired nor ended, of a merchant that is not disabled,
 * still lists the page's origin and has the power that the session needs, without a grant that lapsed or was revoked.
 */
function liveSessions(sql: Sql | Tx, which: SqlPart, at: Date): SqlPart {
  return sql`
    broker.widget_sessions s
    join broker.merchants m on m.id = s.merchant_id and m.disabled_at is null
    join broker.merchant_origins o on o.merchant_id = s.merchant_id and o.origin = s.origin
    left join broker.grants g on g.id = s.grant_id
    where ${which} and s.shown_until > ${at} and s.ended_at is null
      and (g.id is null or ${isLiveConsent(sql, at)}) and not ${lacksPower(sql)}`;
}

/** Finds the widget session of a `ws_` token, as a principal, while the session is live. */
export async function findWidgetSession(sql: Sql, token: string, at: Date): Promise<WidgetPrincipal | undefined> {
  if (!isOpaqueToken(token)) return undefined;
  const [row] = await sql<WidgetRow[]>`
    select s.kind, s.id, s.merchant_id, m.user_id, m.name, s.origin, s.shown_until, s.reference, s.till, s.max_amount,
      s.max_total, s.subject_user_id,
      (select count(*)::int from broker.approvals where reference = s.reference and state = 'rejected') as rejected
    from ${liveSessions(sql, sql`s.token_hash = ${hashToken(token)}`, at)}`;
  return row && widgetPrincipal(row);
}

/**
 * Locks a widget session, in the transaction that commits its request; returns false if the session is no longer live.
 * Requests of one session take turns, and a transaction that ends it, or takes a power that it needs from its merchant,
 * waits until this one is done.
 */
export async function holdWidgetSession(
  tx: Tx,
  { sessionId, merchantId }: Pick<WidgetPrincipal, "sessionId" | "merchantId">,
  at: Date,
): Promise<boolean> {
  await tx`select from broker.merchants where id = ${merchantId} for share`;
  const found = await tx`select from ${liveSessions(tx, tx`s.id = ${sessionId}`, at)} for update of s`;
  return found.length > 0;
}
