import type { ChangeKey, MerchantChange } from "../../../src/contract/broker/merchant-changes.ts";
import { toInstant } from "../access/broker-context.ts";
import { type ChangeRow, isOpen } from "./change-store.ts";

function stateOf(row: ChangeRow, now: Date): MerchantChange["state"] {
  if (row.outcome === "done") return "done";
  return isOpen(row, now) ? "waiting" : "over";
}

function userOf({ needs_user, user_agreed_at }: ChangeRow): MerchantChange["user"] {
  if (user_agreed_at !== null) return "agreed";
  return needs_user ? "waiting" : "not_needed";
}

/** Answers the server keys to which a merchant change gives powers: the id, time and maker of each, never a key. */
export function changeKeysAnswer({ server_keys: keys }: ChangeRow): ChangeKey[] {
  return keys.map(({ id, createdAt, madeBy }) => ({ id, created_at: toInstant(createdAt), made_by: madeBy }));
}

/** Answers a merchant change to operators, with its state and the agreements given. */
export function changeAnswer(row: ChangeRow, now: Date): MerchantChange {
  const { id, merchant_id, merchant, user_id, first_party, sells_top_ups, refunds, made_by } = row;
  return {
    ...{ id, merchant_id, merchant, user_id, first_party, sells_top_ups, refunds, made_by },
    server_keys: changeKeysAnswer(row),
    state: stateOf(row, now),
    agreed: row.agreed_by !== null,
    user: userOf(row),
    created_at: toInstant(row.created_at),
    expires_at: toInstant(row.expires_at),
  };
}
