import type { Proof, ProofPurpose } from "../../../src/contract/broker/passkeys.ts";
import type { JsonObject } from "../../../src/contract/shared/fields.ts";
import type { Tx } from "../../database/connect.ts";
import type { AuthenticationMethod, PersonPrincipal } from "./principal.ts";

/** The request for a proof, as it is answered: `options` for a browser where a passkey must sign. */
interface ProofRequest {
  readonly proof_id: string;
  readonly method: AuthenticationMethod;
  readonly options?: JsonObject;
}

/**
 * The result of a checked proof that the person was present: the passkey that signed it, and the facts for the audit.
 */
export interface Presence {
  /** The passkey that signed; undefined for the button. */
  readonly passkey?: { readonly id: string; readonly mayPayFrom: Date };
  /** The part of it that the audit keeps. */
  readonly facts: Readonly<Record<string, string | boolean>>;
}

/**
 * The result of a checked approval by the person. It counts only once {@link Approver.keepUse} has recorded the
 * passkey's use, in the transaction that consumes the approval.
 */
export interface Approver extends Presence {
  /** Records the use of the passkey; throws `passkey_refused` where it was removed or used meanwhile. */
  keepUse(tx: Tx, at: Date): Promise<void>;
}

/** The method by which an approval must be given, and the challenge that a passkey signs for it. */
export interface ApprovalRequest {
  readonly method: AuthenticationMethod;
  readonly challenge: Uint8Array;
}

/** The part of a confirmation that says who gives it. */
interface ApprovalProof {
  readonly credential?: JsonObject | undefined;
  readonly demo?: true | undefined;
}

/**
 * Asks signed-in people for proofs that they are present or approve, and checks these: by passkey, and in the demo also
 * by a button.
 */
export interface Authenticator {
  /** The methods whose sessions are live. */
  readonly methods: readonly AuthenticationMethod[];
  /** Issues what the person answers to prove their presence for one purpose. */
  startProof(person: PersonPrincipal, purpose: ProofPurpose): Promise<ProofRequest>;
  /** Checks a proof and uses it up; throws `passkey_refused`. */
  useProof(person: PersonPrincipal, purpose: ProofPurpose, proof: Proof): Promise<Presence>;
  /** The options with which a browser approves; undefined for a method by which nothing is signed. */
  approvalOptions(person: PersonPrincipal, request: ApprovalRequest): Promise<JsonObject | undefined>;
  /** Checks that the person approves by the method that was asked for. Consumes nothing. */
  checkApprover(person: PersonPrincipal, request: ApprovalRequest, proof: ApprovalProof): Promise<Approver>;
}
