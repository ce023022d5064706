import { type BrokerContext, takeFromPersonLimit } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";

/**
 * Starts a proof of the person's presence for one security change: answers the challenge that the passkey signs, or in
 * the demo the request of the button.
 */
export function startProof({ authenticator, guardLimit }: BrokerContext): GatedHandler<"person", "startProof"> {
  return async ({ principal, body }) => {
    takeFromPersonLimit(guardLimit, principal, "proof");
    return { body: await authenticator.startProof(principal, body.purpose) };
  };
}
