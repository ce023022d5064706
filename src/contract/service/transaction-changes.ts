import * as v from "valibot";
import { Amount, Details, Id } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { Transaction } from "./transactions.ts";

export const settleTransaction = operation({
  name: "settleTransaction",
  method: "POST",
  path: "/settle-transaction",
  tag: "Transactions",
  summary: "Settle a held payment, or release it",
  description:
    "Extension, for the entity that made the hold; the payee's creator may release it too, and so free a code that " +
    "it took. `approved` moves the money: all that is held, or `amount`, the rest being released; then `amount` of " +
    "the payment is what moved and `held_amount` what was held. `rejected` releases all of it, reason `released`, " +
    "and takes no `amount`. From `hold_expires_at` on a hold can be neither settled nor released any more: within " +
    "seconds it is rejected by itself, reason `hold_expired`. A payment by QR " +
    "that comes to nothing leaves its reference to the QR, which is payable again until it expires, and has a new " +
    "one of its own; it settles for no less than the code's amount. Limits were looked at when the hold was made. " +
    "While the payer is blocked the hold waits: it is not settled (409 `payer_blocked`), does not lapse, and can be " +
    "released at any time; where its time ends meanwhile, it goes on for 24 hours at a time, and `hold_expires_at` " +
    "says so. Where the payee's balance would become too large the hold stays: settle it for less, or release it. " +
    "The answer is the payment.",
  access: "bearer",
  scope: "pay",
  body: v.strictObject({ id: Id, status: v.picklist(["approved", "rejected"]), amount: v.optional(Amount) }),
  responseOnly: ["reference", "held_amount", "reason"],
  answer: Transaction,
  status: 200,
  writes: true,
  errors: [
    "transaction_not_found",
    "not_allowed",
    "transaction_not_pending",
    "payer_blocked",
    "hold_expired",
    "qr_mismatch",
    "balance_limit",
  ],
});

export const reverseTransaction = operation({
  name: "reverseTransaction",
  method: "POST",
  path: "/reverse-transaction",
  tag: "Transactions",
  summary: "Give a payment back, whole or in part",
  description:
    "Extension, for the entity that created the payee. Makes a refund: a new approved transaction of kind `refund` " +
    "from payee to payer, with `reverses`, and answers it. Without `amount` it is all that is left. The payment then " +
    "carries `reversed_amount`, and becomes `reversed` when that reaches `amount`; never more in all, also when many " +
    "refunds are asked for at once. A refund cannot be reversed. It moves all of its amount or nothing: blocked " +
    "users give back and are given back too, and what was given back still counts against the payer's limit of the " +
    "day.",
  access: "bearer",
  scope: "pay",
  body: v.strictObject({ id: Id, amount: v.optional(Amount), details: v.optional(Details) }),
  responseOnly: ["reference", "reverses", "reversed_amount"],
  answer: Transaction,
  status: 200,
  writes: true,
  errors: [
    "transaction_not_found",
    "not_allowed",
    "transaction_not_reversible",
    "refund_too_large",
    "insufficient_balance",
    "balance_limit",
  ],
});
