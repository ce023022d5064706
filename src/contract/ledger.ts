import * as v from "valibot";
import { AnswerObject, DateInput, Details, Id, Instant, pageFields, Sum, WholeAmount } from "./fields.ts";
import { operation } from "./operation.ts";
import { RejectionReason } from "./transactions.ts";

/** A transfer of balance between users. */
const LedgerTransaction = v.object({
  id: Id,
  reference: v.string(),
  status: v.picklist(["approved", "rejected"]),
  reason: v.optional(RejectionReason),
  from_user_id: Id,
  to_user_id: Id,
  amount: Sum,
  date: Instant,
  created_at: Instant,
  details: AnswerObject,
});

export const createLedgerTransaction = operation({
  name: "createLedgerTransaction",
  method: "POST",
  path: "/create-ledger-transaction",
  tag: "Ledger",
  summary: "Transfer balance between users",
  access: "bearer",
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
  errors: ["not_implemented", "user_not_found", "payer_not_yours"],
});

export const ledgerTransactionHistory = operation({
  name: "ledgerTransactionHistory",
  method: "GET",
  path: "/ledger-transaction-history",
  tag: "Ledger",
  summary: "Transfers that a user sent and received",
  access: "bearer",
  query: v.strictObject({ "user-id": Id, ...pageFields }),
  answer: v.array(LedgerTransaction),
  status: 200,
  writes: false,
  errors: ["not_implemented", "invalid_cursor", "user_not_found"],
});
