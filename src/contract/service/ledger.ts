import * as v from "valibot";
import { ExceededLimit } from "../shared/exceeded-limit.ts";
import {
  AnswerObject,
  DateInput,
  Details,
  Id,
  Instant,
  Sum,
  syncErrors,
  syncFields,
  WholeAmount,
} from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { RejectionReason } from "./transactions.ts";

/** A transfer of balance between users, and its outcome. */
export const LedgerTransaction = v.object({
  id: Id,
  reference: v.string(),
  status: v.picklist(["approved", "rejected"]),
  reason: v.optional(RejectionReason),
  exceeded_limit: v.optional(ExceededLimit),
  from_user_id: Id,
  to_user_id: Id,
  amount: Sum,
  date: Instant,
  created_at: Instant,
  details: AnswerObject,
});
export type LedgerTransaction = v.InferOutput<typeof LedgerTransaction>;

export const createLedgerTransaction = operation({
  name: "createLedgerTransaction",
  method: "POST",
  path: "/create-ledger-transaction",
  tag: "Ledger",
  summary: "Transfer balance between users",
  description:
    "Approves at once when the sender's available balance covers the amount, else rejects and says why in `reason` " +
    "(still 201): a rejected transfer is kept, and moves nothing. The amount is in whole currency units. The sender " +
    "must be a user that the caller's entity created; the receiver is any other user. `date` is the caller's " +
    "operation date, now when absent, at most 24 hours ahead. A transfer is no payment: it has its own list, and " +
    "`details` carries nothing that the service reads. The answer is an array of the one transfer.",
  access: "bearer",
  scope: "pay",
  body: v.strictObject({
    from_user_id: Id,
    to_user_id: Id,
    amount: WholeAmount,
    date: v.optional(DateInput),
    details: v.optional(Details),
  }),
  responseOnly: ["id", "reference"],
  answer: v.array(LedgerTransaction),
  status: 201,
  writes: true,
  errors: ["user_not_found", "payer_not_yours"],
});

export const ledgerTransactionHistory = operation({
  name: "ledgerTransactionHistory",
  method: "GET",
  path: "/ledger-transaction-history",
  tag: "Ledger",
  summary: "Transfers that a user sent and received",
  description:
    "Approved and rejected ones, newest first by recording time. An entity sees those that it made, and those of " +
    "which it created the sender or the receiver; another entity's rejected transfer is for the sender's creator " +
    "alone. A transfer never changes: `changed-since` gives those recorded " +
    "since.",
  access: "bearer",
  scope: "read",
  query: v.strictObject({ "user-id": Id, ...syncFields }),
  answer: v.array(LedgerTransaction),
  status: 200,
  writes: false,
  errors: [...syncErrors, "user_not_found"],
});
