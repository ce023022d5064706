import type { Permission } from "./policy.ts";
import {
  isParty,
  isPayee,
  merchantPayment,
  outcomeFields,
  partyFields,
  refundsMade,
  refusedPayments,
  refusedRefunds,
  sessionPaymentFields,
} from "./policy-fields.ts";
import type { UpstreamName } from "./upstream-calls.ts";

/** The user of the service about whom the broker makes a call by itself. */
export interface ConcernedUser {
  readonly userId: string;
}

type OwnPolicyTable = {
  readonly [kind: string]: { readonly [N in UpstreamName]?: Permission<ConcernedUser, N> };
};

const aboutUser = {
  set: ({ userId }: ConcernedUser) => ({ id: userId }),
  own: ({ userId }: ConcernedUser, user: { readonly id: string }) => user.id === userId,
};
/** The answer where the service reports a record of somebody else. */
const foreignRecord = ["not_found"] as const;
/** The permission to give a payment back that the user received. */
const givingBack = {
  own: isParty,
  pass: [...outcomeFields, ...partyFields],
  refusals: [...foreignRecord, ...refusedRefunds],
} as const;
const fromUser = ({ userId }: ConcernedUser) => ({ from_user_id: userId });

/**
 * The table of the calls of the service that the broker makes by itself, after a request or without one, by task: each
 * about one user that it has on record. No handler is given them.
 */
export const ownPolicy = Object.freeze({
  /** Reads the payments of a merchant, to notify it of them. */
  watch: {
    transactionQr: {
      own: isPayee,
      pass: ["reference", "to_user_id", "state", "amount", "currency", "expires_at", "transaction_id"],
      refusals: ["qr_not_found"],
    },
    transaction: merchantPayment,
    receivedPayments: {
      set: ({ userId }) => ({ "user-id": userId, kind: "qr", limit: "500" }),
      own: isPayee,
      pass: sessionPaymentFields,
      refusals: ["user_not_found"],
    },
    transactionHistory: refundsMade,
  },
  /** Blocks a frozen user, and ends that block. */
  freeze: {
    user: { ...aboutUser, pass: ["id", "blocked"] },
    blockUser: { ...aboutUser, pass: ["id"] },
    unblockUser: { ...aboutUser, pass: ["id"] },
  },
  /** Pays, transfers or refunds what its payer approved, and reads the outcome. */
  payment: {
    createTransaction: { set: fromUser, pass: outcomeFields, refusals: refusedPayments },
    createLedgerTransaction: { set: fromUser, pass: outcomeFields, refusals: ["user_not_found", "payer_not_yours"] },
    voidIdempotencyKey: { pass: ["state"] },
    reverseTransaction: givingBack,
    transactionHistory: {
      set: ({ userId }) => ({ "user-id": userId, direction: "sent" }),
      own: isParty,
      pass: [...outcomeFields, "details"],
      refusals: foreignRecord,
    },
    ledgerTransactionHistory: {
      set: ({ userId }) => ({ "user-id": userId }),
      own: isParty,
      pass: [...outcomeFields, "from_user_id", "created_at", "details"],
      refusals: foreignRecord,
    },
  },
  /** Gives back what a merchant's session was paid, and reads the outcome. */
  refund: {
    reverseTransaction: givingBack,
    voidIdempotencyKey: { set: () => ({ operation: "reverseTransaction" }), pass: ["state"] },
    transactionHistory: {
      set: ({ userId }) => ({ "user-id": userId, direction: "sent", kind: "refund" }),
      own: isParty,
      pass: [...outcomeFields, "details"],
      refusals: foreignRecord,
    },
  },
  /** Sells a top-up from the user of a merchant, and reads the outcome. */
  sale: {
    createRechargeTransaction: {
      set: fromUser,
      pass: outcomeFields,
      refusals: ["idempotency_key_reused", ...refusedPayments],
    },
    voidIdempotencyKey: { set: () => ({ operation: "createRechargeTransaction" }), pass: ["state"] },
    transactionHistory: {
      set: ({ userId }) => ({ "user-id": userId, direction: "sent", kind: "recharge" }),
      own: isParty,
      pass: [...outcomeFields, "details"],
      refusals: foreignRecord,
    },
  },
} satisfies OwnPolicyTable);

/** The type of {@link ownPolicy}, from which the calls that each task is given are derived. */
export type OwnPolicy = typeof ownPolicy;
