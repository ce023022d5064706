import type { Proof, ProofPurpose } from "../../src/contract/broker/passkeys.ts";
import type { Api } from "../platform/api.ts";
import { askPasskey } from "./ask-passkey.ts";
import type { PasskeyFault } from "./passkey-fault.ts";

/** The proof to send with a request, or why there is none. */
export type Proved = { readonly proof: Proof } | { readonly fault: PasskeyFault };

/** Has the person confirm one security operation of the account: by passkey, or in the demo by the button. */
export async function prove(api: Pick<Api, "startProof">, purpose: ProofPurpose): Promise<Proved> {
  const { method, options, proof_id } = (await api.startProof({ body: { purpose } })).body;
  if (method === "button" || options === undefined) return { proof: { demo: true } };
  const answer = await askPasskey(options);
  return "fault" in answer ? answer : { proof: { proof_id, credential: answer.credential } };
}
