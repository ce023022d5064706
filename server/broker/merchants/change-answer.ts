import type { MerchantChange } from "../../../src/contract/merchant-changes.ts";
import { toInstant } from "../broker-context.ts";
import { type ChangeRow, isOpen } from "./change-store.ts";
import { keyIdOf } from "./key-id.ts";

function stateOf(row: ChangeRow, now: Date): MerchantChange["state"] {
  if (row.outcome === "done") return "done";
  return isOpen(row, now) ? "waiting" : "over";
}

function userOf({ needs_user, user_agreed_at }: ChangeRow): MerchantChange["user"] {
  if (user_agreed_at !== null) return "agreed";
  return needs_user ? "waiting" : "not_needed";
}

/** A change as operators see it. */
export function changeAnswer(row: ChangeRow, now: Date): MerchantChange {
  const { id, merchant_id, merchant, user_id, first_party, sells_top_ups, made_by } = row;
  return {
    ...{ id, merchant_id, merchant, user_id, first_party, sells_top_ups, made_by },
    server_key: row.key_hash === null ? null : keyIdOf(row.key_hash),
    state: stateOf(row, now),
    agreed: row.agreed_by !== null,
    user: userOf(row),
    created_at: toInstant(row.created_at),
    expires_at: toInstant(row.expires_at),
  };
}
