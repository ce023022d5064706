import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
import type { PagePart } from "../../shared/page.ts";
import { isLiveConsent } from "./consent-store.ts";
import { deriveToken } from "./opaque-token.ts";
import { lacksPower } from "./widget-tokens.ts";

/** A session with a code stays readable for this long after the code expires, to show its outcome. */
const AFTER_EXPIRY_MS = 5 * 60_000;

/** A state of a code that changes no more. */
export type FinalState = "paid" | "expired" | "cancelled";

interface CommonRow {
  readonly id: string;
  readonly nonce: Uint8Array;
  readonly merchant_id: string;
  readonly origin: string;
  readonly generation: number;
  readonly fingerprint: Uint8Array;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** A widget session of kind pay as it is stored: it shows one payment code. */
export interface PaySessionRow extends CommonRow {
  readonly kind: "pay";
  readonly order_id: string | null;
  readonly reference: string;
  /** In minor units; null for a session of an earlier version. */
  readonly amount: bigint | null;
  /** JSON, as it was sent. */
  readonly details: string | null;
  /** True if a page started it, with the publishable key. */
  readonly by_page: boolean;
  /** The shop's page that the app leads back to, as it was sent. */
  readonly return_url: string | null;
  readonly final_state: FinalState | null;
  readonly transaction_id: string | null;
}

/**
 * A widget session of kind recharge or quota as it is stored: it has an expiry of its own, and may be ended before
 * that.
 */
export interface TimedSessionRow extends CommonRow {
  readonly kind: "recharge" | "quota";
  /** True if it was ended, its grant is no longer live, or {@link lacksPower} holds. */
  readonly ended: boolean;
  /** Of kind quota, where a user's grant allows it. */
  readonly grant_id: string | null;
}

/** A widget session of any kind as it is stored. */
export type WidgetSessionRow = PaySessionRow | TimedSessionRow;

/** A widget session of any kind to store: the common fields, and optional ones that only some kinds have. */
export interface NewWidgetSession extends CommonRow {
  readonly kind: WidgetSessionRow["kind"];
  readonly attempt_key: string | null;
  readonly token_hash: Uint8Array;
  readonly order_id?: string | null;
  readonly reference?: string;
  readonly amount?: bigint;
  readonly details?: string | null;
  readonly by_page?: boolean;
  readonly return_url?: string | null;
  readonly max_amount?: bigint | null;
  readonly max_total?: bigint | null;
  readonly till?: string | null;
  readonly subject_user_id?: string;
  readonly grant_id?: string | null;
}

/**
 * Derives the `ws_` token of a widget session, anew whenever its merchant asks for the session again: only a hash of
 * the token is stored.
 */
export function widgetToken(key: Uint8Array, { id, nonce }: Pick<WidgetSessionRow, "id" | "nonce">): string {
  return deriveToken("ws_", key, "widget session", id, Buffer.from(nonce).toString("hex"));
}

/**
 * The statement that stores a widget session, and returns its id; it returns nothing when another request stored one
 * first under the same order or idempotency key of the merchant (`attempt_key`), with the same generation.
 */
export function insertionOf(sql: Sql | Tx, session: NewWidgetSession): SqlPart {
  const { kind, expires_at } = session;
  const shownUntil = kind === "pay" ? new Date(expires_at.getTime() + AFTER_EXPIRY_MS) : expires_at;
  return sql`
    insert into broker.widget_sessions ${sql({ ...session, shown_until: shownUntil })}
    on conflict (merchant_id, attempt_key, generation) do nothing
    returning id`;
}

/**
 * Lets a page read a payment session for at least five more minutes, because its merchant asked for the session again;
 * the code may have been paid long since.
 */
export async function extendShownUntil(sql: Sql, { id }: Pick<PaySessionRow, "id">, now: Date): Promise<void> {
  const until = new Date(now.getTime() + AFTER_EXPIRY_MS);
  await sql`update broker.widget_sessions set shown_until = ${until} where id = ${id} and shown_until < ${until}`;
}

function columns(sql: Sql, at: Date) {
  return sql`s.id, s.kind, s.nonce, s.merchant_id, s.origin, s.order_id, s.generation, s.fingerprint, s.reference,
    s.expires_at, s.created_at, s.amount, s.details, s.by_page, s.return_url, s.final_state, s.transaction_id,
    s.grant_id,
    s.ended_at is not null or (g.id is not null and not ${isLiveConsent(sql, at)})
      or ${lacksPower(sql)} as ended`;
}

/** Finds the latest widget session that a merchant started for an order or under an idempotency key. */
export async function latestOfAttempt(
  sql: Sql,
  merchantId: string,
  attemptKey: string,
  at: Date,
): Promise<WidgetSessionRow | undefined> {
  const [row] = await sql<WidgetSessionRow[]>`
    select ${columns(sql, at)} from broker.widget_sessions s
    join broker.merchants m on m.id = s.merchant_id left join broker.grants g on g.id = s.grant_id
    where s.merchant_id = ${merchantId} and s.attempt_key = ${attemptKey}
    order by s.generation desc limit 1`;
  return row;
}

/** The selection of a merchant's payment sessions; what is undefined bounds nothing. */
export interface SessionFilter {
  readonly merchantId: string;
  readonly order: string | undefined;
  readonly reference: string | undefined;
  /** When they were started: from the first instant, before the second. */
  readonly period: { readonly from: Date; readonly to: Date } | undefined;
  readonly state: PaySessionRow["final_state"] | "unpaid" | "pending" | undefined;
}

/**
 * Lists a page of a merchant's payment sessions, newest first; with a state those that have it for good, and those of
 * which no final state was seen.
 */
export function listPaySessions(
  sql: Sql,
  { merchantId, order, reference, period, state }: SessionFilter,
  { limit, before }: PagePart,
): Promise<readonly PaySessionRow[]> {
  return sql<PaySessionRow[]>`
    select s.id, s.kind, s.merchant_id, s.order_id, s.reference, s.created_at, s.expires_at, s.amount, s.details,
      s.by_page, s.return_url, s.final_state, s.transaction_id
    from broker.widget_sessions s
    where s.merchant_id = ${merchantId} and s.kind = 'pay'
      ${order === undefined ? sql`` : sql`and s.attempt_key = ${`order:${order}`}`}
      ${reference === undefined ? sql`` : sql`and s.reference = ${reference}`}
      ${period === undefined ? sql`` : sql`and s.created_at >= ${period.from} and s.created_at < ${period.to}`}
      ${state === undefined ? sql`` : sql`and (s.final_state is null or s.final_state = ${state})`}
      ${before === undefined ? sql`` : sql`and s.id < ${before}`}
    order by s.id desc limit ${limit}`;
}

/** Keeps the final state of a session's code, with its payment and, for a session of an earlier version, its amount. */
export async function keepFinalState(
  sql: Sql,
  { id }: Pick<PaySessionRow, "id">,
  kept: { readonly state: FinalState; readonly amount: bigint | null; readonly transactionId: string | null },
): Promise<void> {
  await sql`
    update broker.widget_sessions set final_state = ${kept.state}, amount = coalesce(amount, ${kept.amount}),
      transaction_id = ${kept.transactionId}
    where id = ${id}`;
}

/** Finds a widget session by its id, among those of one merchant. */
export async function findOfMerchant(
  sql: Sql,
  merchantId: string,
  sessionId: string,
  at: Date,
): Promise<WidgetSessionRow | undefined> {
  const [row] = await sql<WidgetSessionRow[]>`
    select ${columns(sql, at)} from broker.widget_sessions s
    join broker.merchants m on m.id = s.merchant_id left join broker.grants g on g.id = s.grant_id
    where s.merchant_id = ${merchantId} and s.id = ${sessionId}`;
  return row;
}

/**
 * Ends a merchant's session of kind recharge or quota before its time; leaves one that has ended or expired as it was.
 */
export async function endTimedSession(sql: Sql, { id }: TimedSessionRow, at: Date): Promise<void> {
  await sql`
    update broker.widget_sessions set ended_at = ${at}
    where id = ${id} and kind <> 'pay' and ended_at is null and expires_at > ${at}`;
}

/** Ends the widget sessions that show a user's quota, and the tills of merchants whose top-ups this user pays. */
export async function endSessionsOfUser(tx: Tx, userId: string, at: Date): Promise<void> {
  await tx`
    update broker.widget_sessions s set ended_at = ${at} from broker.merchants m
    where m.id = s.merchant_id and s.kind <> 'pay' and s.ended_at is null and s.expires_at > ${at}
      and (s.subject_user_id = ${userId} or (s.kind = 'recharge' and m.user_id = ${userId}))`;
}

/**
 * Ends, for good, widget sessions that a change of their merchant stops: tills and quota pages of a removed origin or
 * without a power that they need, or all of a disabled one. Sessions of kind pay stay: another one for their order
 * would show a second code to pay.
 */
export async function endStoppedSessions(tx: Tx, merchantId: string, at: Date): Promise<void> {
  await tx`
    update broker.widget_sessions s set ended_at = ${at} from broker.merchants m
    where m.id = ${merchantId} and s.merchant_id = m.id and s.kind <> 'pay' and s.ended_at is null
      and s.expires_at > ${at} and (m.disabled_at is not null or ${lacksPower(tx)}
        or not exists (select from broker.merchant_origins o where o.merchant_id = m.id and o.origin = s.origin))`;
}
