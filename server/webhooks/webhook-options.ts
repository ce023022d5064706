import type { WebhookNetworkOptions } from "./webhook-network.ts";

/** Options of sending webhooks, for callers that need others than the defaults. */
export interface WebhookOptions extends WebhookNetworkOptions {
  /** For one attempt. Default: 10 s. */
  readonly timeoutMs?: number;
  /** The interval of polling for due deliveries. Default: 1 s. */
  readonly pollMs?: number;
}
