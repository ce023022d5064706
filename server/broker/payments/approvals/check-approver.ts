import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { isJsonObject, type JsonObject } from "../../../../src/contract/shared/fields.ts";
import type { Call } from "../../../../src/contract/shared/handler.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { refuseNewDevice } from "../../people/account/refuse-new-device.ts";
import { type CheckedAssertion, checkAssertion } from "../../people/account/verify-assertion.ts";
import { approvalChallenge } from "./approval-challenge.ts";
import type { ApprovalRow } from "./approval-store.ts";

/** The call by which a person approves. */
export type ConfirmCall = Call<BrokerContract["confirmApproval"], PersonPrincipal>;

/** Proof that it is the person who approves, for the approval and for the audit. */
export interface Approver {
  /** The passkey's assertion, whose use is recorded with the approval; undefined for the demo's button. */
  readonly assertion?: CheckedAssertion;
  readonly facts: Readonly<Record<string, string>>;
}

/** The assertion as it came: with the passkey's public key, proof for ever of what was approved. */
function assertionFacts({ id, response }: JsonObject): Approver["facts"] {
  const { clientDataJSON, authenticatorData, signature } = isJsonObject(response) ? response : {};
  return {
    credential_id: String(id),
    client_data_json: String(clientDataJSON),
    authenticator_data: String(authenticatorData),
    signature: String(signature),
  };
}

/**
 * Makes sure that the person approves, and as they have to: with a passkey that answers exactly this approval or, where
 * the demo let them in without one, with the button alone. Consumes nothing.
 */
export async function checkApprover(
  broker: BrokerContext,
  { body, principal }: ConfirmCall,
  row: ApprovalRow,
): Promise<Approver> {
  const { personId, demo, mayPayFrom } = principal;
  refuseNewDevice(mayPayFrom, broker.clock(), "pay");
  if (row.method === "button") {
    if (demo && body.demo === true) return { facts: {} };
    throw new ApiError("not_allowed", { detail: "Demo people approve with demo: true." });
  }
  const { credential } = body;
  if (credential === undefined) throw new ApiError("not_allowed", { detail: "This payment needs a passkey." });
  const assertion = await checkAssertion(broker, { personId, challenge: approvalChallenge(row), credential });
  // The session may be an old device's, and the passkey a new one's.
  refuseNewDevice(assertion.passkey.mayPayFrom, broker.clock(), "pay");
  return { assertion, facts: assertionFacts(credential) };
}
