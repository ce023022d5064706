import { hash } from "node:crypto";
import { canonicalJson } from "../../../http/canonical-json.ts";
import { toInstant } from "../../access/broker-context.ts";
import { changeKeysAnswer } from "../../merchants/change-answer.ts";
import type { ChangeRow } from "../../merchants/change-store.ts";

/**
 * Computes the challenge for the passkey that lets a merchant sell with its user's quota: SHA-256 over the request as
 * the person is shown it. So a signature is good for this merchant under this name with these keys alone and, by the
 * random bytes, for no later request.
 */
export function sellingChallenge(row: ChangeRow): Uint8Array {
  const { id, merchant_id, merchant, user_id } = row;
  const asked = {
    ...{ id, merchant_id, merchant, user_id, operation: "sell_top_ups", server_keys: changeKeysAnswer(row) },
    random: Buffer.from(row.random).toString("base64url"),
    expires_at: toInstant(row.expires_at),
  };
  return hash("sha256", canonicalJson(asked), "buffer");
}
