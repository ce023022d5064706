import { type BrokerContext, takeFromPersonLimit } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { createChallenge } from "./challenge-store.ts";
import { requestOptions } from "./request-options.ts";

const PROOF_LIFE_MS = 2 * 60_000;

/** Issues a challenge for one act that guards the account; a demo session has only its button. */
export function startProof(broker: BrokerContext): GatedHandler<"person", "startProof"> {
  return async ({ principal, body }) => {
    takeFromPersonLimit(broker.guardLimit, principal, "proof");
    if (principal.demo) return { body: { proof_id: broker.newId(), method: "button" } };
    const { personId } = principal;
    const { id, challenge } = await createChallenge(broker, { ...body, personId, lifeMs: PROOF_LIFE_MS });
    const options = await requestOptions(broker, { personId, challenge });
    return { body: { proof_id: id, method: "passkey", options } };
  };
}
