import type { Proof, ProofPurpose } from "../../../../src/contract/broker/passkeys.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { isJsonObject, type JsonObject } from "../../../../src/contract/shared/fields.ts";
import type { Authenticator, Presence } from "../../access/authenticator.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { consumeChallenge, createChallenge } from "./challenge-store.ts";
import { refusePasskey } from "./refuse-passkey.ts";
import { requestOptions } from "./request-options.ts";
import { checkAssertion, keepUse, verifyAssertion } from "./verify-assertion.ts";

type Parts = Pick<BrokerContext, "sql" | "publicOrigin" | "clock" | "newId" | "random">;

const PROOF_LIFE_MS = 2 * 60_000;

/** Uses the proof's challenge up before the assertion is checked: it is good once, for its purpose and person. */
async function useProof(
  parts: Parts,
  { personId }: PersonPrincipal,
  purpose: ProofPurpose,
  proof: Proof,
): Promise<Presence> {
  if (!("credential" in proof)) {
    throw refusePasskey("Confirm with your passkey: the button alone is for the demo's people.");
  }
  const known = await consumeChallenge(parts.sql, { id: proof.proof_id, purpose, personId }, parts.clock());
  if (known === undefined) {
    throw refusePasskey("This request is over or was used before. Start again and use your passkey anew.");
  }
  const { challenge } = known;
  const passkey = await verifyAssertion(parts, { personId, challenge, credential: proof.credential });
  return { passkey, facts: { passkey_id: passkey.id } };
}

/** The assertion as it came: with the passkey's public key, proof for ever of what was approved. */
function assertionFacts({ id, response }: JsonObject): Presence["facts"] {
  const { clientDataJSON, authenticatorData, signature } = isJsonObject(response) ? response : {};
  return {
    credential_id: String(id),
    client_data_json: String(clientDataJSON),
    authenticator_data: String(authenticatorData),
    signature: String(signature),
  };
}

/** Creates the authenticator that accepts passkeys alone. */
export function createPasskeyAuthenticator(parts: Parts): Authenticator {
  return {
    methods: ["passkey"],
    async startProof({ personId }, purpose) {
      const { id, challenge } = await createChallenge(parts, { purpose, personId, lifeMs: PROOF_LIFE_MS });
      return { proof_id: id, method: "passkey", options: await requestOptions(parts, { personId, challenge }) };
    },
    useProof: (person, purpose, proof) => useProof(parts, person, purpose, proof),
    async approvalOptions({ personId }, { method, challenge }) {
      return method === "passkey" ? requestOptions(parts, { personId, challenge }) : undefined;
    },
    async checkApprover({ personId }, { method, challenge }, { credential }) {
      if (method !== "passkey" || credential === undefined) {
        throw new ApiError("not_allowed", { detail: "This payment needs a passkey." });
      }
      const assertion = await checkAssertion(parts, { personId, challenge, credential });
      return {
        passkey: assertion.passkey,
        facts: assertionFacts(credential),
        keepUse: async (tx, at) => void (await keepUse(tx, assertion, at)),
      };
    },
  };
}
