import type { Sealer } from "../../database/sealer.ts";
import type { WebhookNetwork } from "../../webhooks/webhook-network.ts";

/** The dependencies of the operations on webhooks beside the rest of the service. */
export interface WebhookSettings {
  readonly sealer: Sealer;
  readonly network: WebhookNetwork;
  /** A new UUIDv7. */
  readonly newId: () => string;
  /** Signals that there may be something to send. */
  readonly wake: () => void;
}
