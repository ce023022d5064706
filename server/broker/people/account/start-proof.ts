import { type BrokerContext, takeFromPersonLimit } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";

/** Issues a challenge for one act that guards the account. */
export function startProof({ authenticator, guardLimit }: BrokerContext): GatedHandler<"person", "startProof"> {
  return async ({ principal, body }) => {
    takeFromPersonLimit(guardLimit, principal, "proof");
    return { body: await authenticator.startProof(principal, body.purpose) };
  };
}
