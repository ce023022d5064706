import type { Proof, ProofPurpose } from "../../src/contract/broker/passkeys.ts";
import type { Api } from "../platform/api.ts";
import { askPasskey } from "./ask-passkey.ts";
import type { PasskeyFault } from "./passkey-fault.ts";

/** The proof to send with a request, or why there is none. */
export type Proved = { readonly proof: Proof } | { readonly fault: PasskeyFault };

/**
 * Obtains the proof for one security change of the account: asks the person for a passkey assertion with the broker's
 * options. A person of the demo has no passkey, and is asked for nothing more.
 */
export async function prove(api: Pick<Api, "startProof">, purpose: ProofPurpose): Promise<Proved> {
  const { method, options, proof_id } = (await api.startProof({ body: { purpose } })).body;
  if (method === "button" || options === undefined) return { proof: { demo: true } };
  const answer = await askPasskey(options);
  return "fault" in answer ? answer : { proof: { proof_id, credential: answer.credential } };
}
