/** A receiver of webhooks in JavaScript, as the guides of the service and of the broker show it (Standard Webhooks). */
export const RECEIVER_SAMPLE = `\`\`\`js
import { Webhook } from "standardwebhooks";

export async function receive(request, secret, applyOnce) {
  const event = new Webhook(secret).verify(await request.text(), Object.fromEntries(request.headers));
  await applyOnce(request.headers.get("webhook-id"), event);
  return new Response(null, { status: 204 });
}
\`\`\``;
