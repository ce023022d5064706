import type { Proof, ProofPurpose } from "../../../../src/contract/broker/passkeys.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Call } from "../../../../src/contract/shared/handler.ts";
import type { Operation } from "../../../../src/contract/shared/operation.ts";
import type { Presence } from "../../access/authenticator.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { PersonPrincipal } from "../../access/principal.ts";

/** The principal and request id of a call that needs a proof of the person's presence; the audit records both. */
export type ProvingCall = Pick<Call<Operation, PersonPrincipal>, "principal" | "requestId">;

/**
 * Requires proof of the person's presence for one purpose; returns the passkey that signed, if one did. A proof is good
 * once, for two minutes, for its purpose and its person; throws `proof_needed` where none came, `passkey_refused`, or
 * `passkey_copied` and `account_frozen` as the check of its assertion does. Every accepted proof is in the audit;
 * refused ones are, up to the limit of refusals.
 */
export async function requireProof(
  { sql, audit, authenticator, refusalLimit }: BrokerContext,
  { principal, requestId }: ProvingCall,
  purpose: ProofPurpose,
  proof: Proof | undefined,
): Promise<Presence["passkey"]> {
  if (proof === undefined) {
    throw new ApiError("proof_needed", { detail: `Start a proof for ${purpose}, and send it along.` });
  }
  const about = { requestId, principal, action: "prove presence" } as const;
  try {
    const { passkey, facts } = await authenticator.useProof(principal, purpose, proof);
    await audit(sql, { ...about, outcome: "accepted", facts: { purpose, ...facts } });
    return passkey;
  } catch (error) {
    const isRefusal = error instanceof ApiError;
    if (isRefusal && refusalLimit.take(`proof:${principal.personId}`).allowed) {
      await audit(sql, { ...about, outcome: "refused", facts: { purpose } });
    }
    throw error;
  }
}
