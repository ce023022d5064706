import type { Permission } from "./policy.ts";
import { isPayee } from "./policy-fields.ts";
import type { UpstreamName } from "./upstream-calls.ts";

/** A merchant whose payments the broker watches to notify it of them: without a request, by no right but its own. */
export interface WatchedMerchant {
  /** The merchant's user at the service. */
  readonly userId: string;
}

const watchedPaymentFields = [
  ...(["id", "reference", "to_user_id", "status", "amount", "currency", "created_at", "reversed_amount"] as const),
] as const;

/** Calls that the broker makes without a request for a watched merchant: they read the payments to notify it of. */
export const watchPolicy = Object.freeze({
  transactionQr: {
    own: isPayee,
    pass: ["reference", "to_user_id", "state", "amount", "currency", "expires_at", "transaction_id"],
    refusals: ["qr_not_found"],
  },
  transaction: { own: isPayee, pass: watchedPaymentFields, refusals: ["transaction_not_found"] },
  receivedPayments: {
    set: ({ userId }) => ({ "user-id": userId, kind: "qr", limit: "500" }),
    own: isPayee,
    pass: watchedPaymentFields,
    refusals: ["user_not_found"],
  },
} satisfies { readonly [N in UpstreamName]?: Permission<WatchedMerchant, N> });

/** A user of the service who is frozen, or was. */
export interface FrozenUser {
  readonly userId: string;
}

const ofFrozenUser = {
  set: ({ userId }: FrozenUser) => ({ id: userId }),
  own: ({ userId }: FrozenUser, user: { readonly id: string }) => user.id === userId,
};

/**
 * The calls that the broker itself may make at the service on behalf of a freeze: block that user, and end its own
 * block.
 */
export const freezePolicy = Object.freeze({
  user: { ...ofFrozenUser, pass: ["id", "blocked"] },
  blockUser: { ...ofFrozenUser, pass: ["id"] },
  unblockUser: { ...ofFrozenUser, pass: ["id"] },
} satisfies { readonly [N in UpstreamName]?: Permission<FrozenUser, N> });
