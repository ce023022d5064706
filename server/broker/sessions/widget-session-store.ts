import type { Sql } from "../../database/connect.ts";
import { deriveToken } from "../principals/opaque-token.ts";

/** A widget session may be looked at for so much longer than its code can be paid, to show what became of it. */
const AFTER_EXPIRY_MS = 5 * 60_000;

/** A widget session as it is stored. */
export interface WidgetSessionRow {
  readonly id: string;
  readonly nonce: Uint8Array;
  readonly merchant_id: string;
  readonly origin: string;
  readonly order_id: string | null;
  readonly generation: number;
  readonly fingerprint: Uint8Array;
  readonly reference: string;
  readonly expires_at: Date;
}

/** A session to store. */
export interface NewWidgetSession extends WidgetSessionRow {
  readonly attempt_key: string | null;
  readonly token_hash: Uint8Array;
  readonly created_at: Date;
}

/** The `ws_` token of a session: made anew whenever its merchant asks, never stored. */
export function widgetToken(key: Uint8Array, { id, nonce }: Pick<WidgetSessionRow, "id" | "nonce">): string {
  return deriveToken("ws_", key, "widget session", id, Buffer.from(nonce).toString("hex"));
}

/** Stores a session; false when another request stored one for the same attempt first. */
export async function insertWidgetSession(sql: Sql, session: NewWidgetSession): Promise<boolean> {
  const { id, token_hash, nonce, merchant_id, origin, order_id, attempt_key, generation } = session;
  const shownUntil = new Date(session.expires_at.getTime() + AFTER_EXPIRY_MS);
  const inserted = await sql`
    insert into broker.widget_sessions (id, token_hash, nonce, merchant_id, kind, origin, order_id, attempt_key,
      generation, fingerprint, reference, expires_at, shown_until, created_at)
    values (${id}, ${token_hash}, ${nonce}, ${merchant_id}, 'pay', ${origin}, ${order_id}, ${attempt_key},
      ${generation}, ${session.fingerprint}, ${session.reference}, ${session.expires_at}, ${shownUntil},
      ${session.created_at})
    on conflict (merchant_id, attempt_key, generation) do nothing
    returning id`;
  return inserted.length > 0;
}

/** Lets a page look at a session that its merchant asked for again, which may be paid long since. */
export async function showOn(sql: Sql, { id }: Pick<WidgetSessionRow, "id">, now: Date): Promise<void> {
  const until = new Date(now.getTime() + AFTER_EXPIRY_MS);
  await sql`update broker.widget_sessions set shown_until = ${until} where id = ${id} and shown_until < ${until}`;
}

/** The latest session of a merchant's order or idempotency key. */
export async function latestOfAttempt(
  sql: Sql,
  merchantId: string,
  attemptKey: string,
): Promise<WidgetSessionRow | undefined> {
  const [row] = await sql<WidgetSessionRow[]>`
    select id, nonce, merchant_id, origin, order_id, generation, fingerprint, reference, expires_at
    from broker.widget_sessions where merchant_id = ${merchantId} and attempt_key = ${attemptKey}
    order by generation desc limit 1`;
  return row;
}

/** A merchant's own session by its id. */
export async function findOfMerchant(
  sql: Sql,
  merchantId: string,
  sessionId: string,
): Promise<WidgetSessionRow | undefined> {
  const [row] = await sql<WidgetSessionRow[]>`
    select id, nonce, merchant_id, origin, order_id, generation, fingerprint, reference, expires_at
    from broker.widget_sessions where merchant_id = ${merchantId} and id = ${sessionId}`;
  return row;
}

/** How often people were refused when they tried to pay a code. */
export async function rejectedAttempts(sql: Sql, reference: string): Promise<number> {
  const [row] = await sql<{ readonly count: number }[]>`
    select count(*)::int as count from broker.approvals where reference = ${reference} and state = 'rejected'`;
  return row?.count ?? 0;
}
