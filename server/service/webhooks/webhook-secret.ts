import { Webhook } from "standardwebhooks";
import type { Sealer } from "../../database/sealer.ts";

const SECRET_BYTES = 32;
/** Of the Standard Webhooks specification: tells what kind of secret it is. */
const PREFIX = "whsec_";

/** Draws a secret, as the receiver is shown it: `whsec_` and base64. */
export function drawWebhookSecret(random: (length: number) => Uint8Array): string {
  return PREFIX + Buffer.from(random(SECRET_BYTES)).toString("base64");
}

/** Seals a secret for the endpoint that it belongs to. */
export function sealWebhookSecret(sealer: Sealer, endpointId: string, secret: string): Uint8Array {
  return sealer.seal("webhook-secret", endpointId, Buffer.from(secret, "utf8"));
}

/** One message as it is signed. */
export interface Message {
  /** `webhook-id`: the same for every attempt. */
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** The headers of a message, with one signature for each of the endpoint's live secrets. */
export function signedHeaders(
  sealer: Sealer,
  endpoint: { readonly id: string; readonly sealedSecrets: readonly Uint8Array[] },
  { id, at, body }: Message,
): Readonly<Record<string, string>> {
  const signatures = endpoint.sealedSecrets.map((sealed) => {
    const secret = Buffer.from(sealer.open("webhook-secret", endpoint.id, sealed)).toString("utf8");
    return new Webhook(secret).sign(id, at, body);
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
