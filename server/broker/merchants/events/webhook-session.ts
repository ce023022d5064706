import type { Sql, Tx } from "../../../database/connect.ts";

/** A payment session whose merchant has a webhook, to which its outcome is sent. */
export interface WebhookSession {
  readonly id: string;
  readonly merchantId: string;
  /** The merchant's user at the service: the payee. */
  readonly userId: string;
  readonly reference: string;
  readonly order: string | null;
  readonly expiresAt: Date;
  /** JSON, as it was sent. */
  readonly details: string | null;
  /** True if a page sent it. */
  readonly by_page: boolean;
  /** The time since which the merchant has a webhook: earlier payments were never meant for it. */
  readonly webhookSince: Date;
}

/** Clocks of the broker and the service may differ by so much. */
const CLOCK_SKEW = "5 minutes";

/**
 * Builds the SQL of merchants `m` beside `hooks`: `hooks.since`, the time of the first webhook secret less five minutes
 * of clock skew, and `hooks.can_sign`, true while a secret is live. The first secret came with the first webhook. With
 * {@link hasWebhook}, those remain that receive webhooks, disabled ones too: codes that were shown can still be paid.
 */
export function merchantsWithWebhook(sql: Sql | Tx) {
  return sql`
    (broker.merchants m cross join lateral (
      select min(created_at) - ${CLOCK_SKEW}::interval as since, bool_or(revoked_at is null) as can_sign
      from broker.merchant_webhook_secrets where merchant_id = m.id) hooks)`;
}

/**
 * Builds the SQL condition that leaves, of {@link merchantsWithWebhook}, those with a webhook and a live secret to sign
 * with.
 */
export function hasWebhook(sql: Sql | Tx) {
  return sql`m.webhook_url is not null and hooks.can_sign`;
}

/**
 * Builds the SQL columns of a {@link WebhookSession}, from `broker.widget_sessions s` beside {@link
 * merchantsWithWebhook}.
 */
export function sessionColumns(sql: Sql | Tx) {
  return sql`
    s.id, s.merchant_id as "merchantId", m.user_id as "userId", s.reference, s.order_id as "order",
    s.expires_at as "expiresAt", hooks.since as "webhookSince", s.details, s.by_page`;
}

/** Finds the payment sessions whose codes have these references, of merchants that receive webhooks. */
export function findWebhookSessions(sql: Sql, references: readonly string[]): Promise<readonly WebhookSession[]> {
  return sql<WebhookSession[]>`
    select ${sessionColumns(sql)}
    from broker.widget_sessions s join ${merchantsWithWebhook(sql)} on m.id = s.merchant_id
    where s.reference = any(${[...references]}) and s.kind = 'pay' and ${hasWebhook(sql)}`;
}
