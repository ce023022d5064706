import * as v from "valibot";
import { Amount, Id, Instant, label, Sum } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";

const ofPayment = {
  tag: "Refunds",
  access: "merchant",
  path: "/v1/payments/:payment_id/refunds",
  params: v.strictObject({ payment_id: Id }),
} as const;

/** A refund of a payment that a merchant's session was paid with: money that goes back to the payer. */
export const Refund = v.object({
  /** Of one that the merchant's backend asked for, also in `payment.refunded`; of any other the `transaction_id`. */
  id: Id,
  payment_id: Id,
  /** `failed`: no money moved, and none will; `running`: the outcome is not known yet, ask again with the same key. */
  state: v.picklist(["running", "approved", "failed"]),
  amount: Sum,
  currency: v.string(),
  /** The words for the payer. */
  reason: v.optional(v.string()),
  /** Once it is approved: the refund among the service's payments, as the payer's receipt has it. */
  transaction_id: v.optional(Id),
  created_at: Instant,
});
export type Refund = v.InferOutput<typeof Refund>;

/** A refund as the request that makes it is answered. */
const MadeRefund = v.object({
  ...Refund.entries,
  /** Once it is approved: how much of the payment was given back so far, by this and all other refunds. */
  refunded_amount: v.optional(Sum),
});

export const createRefund = operation({
  ...ofPayment,
  name: "createRefund",
  method: "POST",
  summary: "Give a payment back, whole or in part",
  description:
    "For merchants that an operator lets refund, of payments by which one of the merchant's own sessions was paid; " +
    "the payment's id is the `transaction_id` of the session. Without `amount` it is all that is left. The payer " +
    "reads `reason` with the refund. Needs an `Idempotency-Key`, one for each refund: asking again with it, also " +
    "after an answer that never came, tells the outcome and never refunds twice; a refusal with status 409 uses it " +
    "up. Past the merchant's `refund_limit` of the business day it is `limit_exceeded`. It takes what the merchant's " +
    "user has available, and nothing from a frozen one. `payment.refunded` tells of it too.",
  body: v.strictObject({ amount: v.optional(Amount), reason: v.optional(label(140)) }),
  answer: MadeRefund,
  status: 201,
  writes: true,
  errors: [
    ...(["idempotency_key_reused", "not_allowed", "account_frozen", "not_found"] as const),
    ...(["transaction_not_reversible", "refund_too_large", "limit_exceeded"] as const),
    ...(["insufficient_balance", "balance_limit", "upstream_failed"] as const),
  ],
});

export const refunds = operation({
  ...ofPayment,
  name: "refunds",
  method: "GET",
  summary: "The refunds of a payment, newest first, whoever made them",
  description:
    "Those that the merchant's backend asked for, also while they run and where they failed, and those that the " +
    "payee made in the app or the fintech by its own interface: of these the latest.",
  answer: v.array(Refund),
  status: 200,
  writes: false,
  errors: ["not_found", "upstream_failed"],
});
