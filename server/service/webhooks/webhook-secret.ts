import type { Sealer } from "../../database/sealer.ts";

/** Seals a webhook's signing secret for the endpoint that it belongs to. */
export function sealWebhookSecret(sealer: Sealer, endpointId: string, secret: string): Uint8Array {
  return sealer.seal("webhook-secret", endpointId, Buffer.from(secret, "utf8"));
}

/** Opens a secret that {@link sealWebhookSecret} sealed. Throws `SealError`. */
export function openWebhookSecret(sealer: Sealer, endpointId: string, sealed: Uint8Array): string {
  return Buffer.from(sealer.open("webhook-secret", endpointId, sealed)).toString("utf8");
}
