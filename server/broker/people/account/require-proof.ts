import type { Proof, ProofPurpose } from "../../../../src/contract/broker/passkeys.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Call } from "../../../../src/contract/shared/handler.ts";
import type { Operation } from "../../../../src/contract/shared/operation.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { consumeChallenge } from "./challenge-store.ts";
import type { Passkey } from "./passkey-store.ts";
import { refusePasskey } from "./refuse-passkey.ts";
import { verifyAssertion } from "./verify-assertion.ts";

/** The person who proves, and the id of the request. */
export type ProvingCall = Pick<Call<Operation, PersonPrincipal>, "principal" | "requestId">;

async function prove(
  broker: BrokerContext,
  { personId, demo }: PersonPrincipal,
  purpose: ProofPurpose,
  proof: Proof,
): Promise<Passkey | undefined> {
  if ("demo" in proof) {
    if (demo) return undefined;
    throw refusePasskey("Confirm with your passkey: the button alone is for the demo's people.");
  }
  const used = { id: proof.proof_id, purpose, personId };
  const known = await consumeChallenge(broker.sql, used, broker.clock());
  if (known === undefined) {
    throw refusePasskey("This request is over or was used before. Start again and use your passkey anew.");
  }
  const { challenge } = known;
  return verifyAssertion(broker, { personId, challenge, credential: proof.credential });
}

/**
 * Requires proof of the person's presence for one purpose; returns the passkey that signed, or undefined for the demo's
 * button. A proof is good once, for two minutes, for its purpose and its person; throws `passkey_refused`. Every
 * accepted proof is in the audit; refused ones are, up to the limit of refusals.
 */
export async function requireProof(
  broker: BrokerContext,
  { principal, requestId }: ProvingCall,
  purpose: ProofPurpose,
  proof: Proof,
): Promise<Passkey | undefined> {
  const about = { requestId, principal, action: "prove presence" } as const;
  try {
    const passkey = await prove(broker, principal, purpose, proof);
    const facts = passkey === undefined ? { purpose, demo: true } : { purpose, passkey_id: passkey.id };
    await broker.audit(broker.sql, { ...about, outcome: "accepted", facts });
    return passkey;
  } catch (error) {
    const isRefusal = error instanceof ApiError;
    if (isRefusal && broker.refusalLimit.take(`proof:${principal.personId}`).allowed) {
      await broker.audit(broker.sql, { ...about, outcome: "refused", facts: { purpose } });
    }
    throw error;
  }
}
