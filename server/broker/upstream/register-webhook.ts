import type { Upstream } from "../access/policy/upstream-calls.ts";
import type { UpstreamSecrets } from "./upstream-secrets.ts";

/** The name of the broker's webhook at the service, among those of its entity. */
const NAME = "broker";
/**
 * Events that pages, people and merchants are notified of; others would be sent for nothing. The payment of a code is
 * reported once, by its transaction.
 */
const EVENT_TYPES = [
  ...["qr.expired", "qr.cancelled"],
  ...["transaction.created", "transaction.settled", "transaction.rejected", "transaction.reversed"],
  ...["ledger.transfer", "quota.added", "quota.discharged"],
];

/** The registration of the broker's webhook at the service. */
export interface WebhookRegistration {
  /** True once this process has registered the webhook. */
  isRegistered(): boolean;
  register(url: string): Promise<void>;
}

/**
 * Makes the registration of the broker's webhook at the service. Until a call of this process has succeeded, each has a
 * new secret made, so that one that was lost, or is of another database, does not make every message fail. Later calls
 * only make sure that the webhook is there and enabled.
 */
export function createRegistration(upstream: Upstream, secrets: UpstreamSecrets): WebhookRegistration {
  let isRegistered = false;
  return {
    isRegistered: () => isRegistered,
    async register(url) {
      const fields = { name: NAME, url, event_types: EVENT_TYPES, rotate_secret: !isRegistered };
      const { secret } = (await upstream.call("putWebhook", fields)).body;
      if (secret !== undefined) await secrets.keep(secret);
      isRegistered = true;
    },
  };
}
