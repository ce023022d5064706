import { hash } from "node:crypto";
import { canonicalJson } from "../../../http/canonical-json.ts";
import type { ApprovalRequest } from "../../access/authenticator.ts";
import { toInstant } from "../../access/broker-context.ts";
import type { ApprovalRow } from "./approval-store.ts";

/**
 * The challenge that a passkey signs to approve: SHA-256 over the canonical approval. So a signature is good for this
 * payee, this amount and this reference alone and, by the random bytes, for no other approval (security: Approval of a
 * payment, 2).
 */
function approvalChallenge(row: ApprovalRow): Uint8Array {
  const { id, operation, payee, currency, reference, reverses } = row;
  const approval = {
    ...{ id, operation, payee, currency, reference, reverses },
    random: Buffer.from(row.random).toString("base64url"),
    user_id: row.user_id,
    payer_id: row.payer_id,
    payee_id: row.payee_id,
    amount: String(row.amount),
    expires_at: toInstant(row.expires_at),
  };
  return hash("sha256", canonicalJson(approval), "buffer");
}

/** Returns the method by which the person must approve an approval, and the challenge that a passkey signs for it. */
export function approvalRequest(row: ApprovalRow): ApprovalRequest {
  return { method: row.method, challenge: approvalChallenge(row) };
}
