import type { WebhookNetworkOptions } from "./webhook-network.ts";

/** How webhooks may be sent, where it is not as usual. */
export interface WebhookOptions extends WebhookNetworkOptions {
  /** For one attempt. Default: 10 s. */
  readonly timeoutMs?: number;
  /** How often is looked for what is due. Default: 1 s. */
  readonly pollMs?: number;
}
