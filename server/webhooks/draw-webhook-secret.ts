const SECRET_BYTES = 32;
/** Of the Standard Webhooks specification: identifies the kind of secret. */
const PREFIX = "whsec_";

/** Draws a secret that signs webhook messages, as the receiver is shown it: `whsec_` and base64. */
export function drawWebhookSecret(random: (length: number) => Uint8Array): string {
  return PREFIX + Buffer.from(random(SECRET_BYTES)).toString("base64");
}
