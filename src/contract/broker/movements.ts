import * as v from "valibot";
import { Id, Instant, Sum } from "../shared/fields.ts";
import { TransactionKind, TransactionStatus } from "../shared/states.ts";

/**
 * A payment or transfer as one of its two parties sees it: never the other party's balance, profile or reason. The
 * counterparty's name is whole for a business and for somebody who has paid the person, else a first name and initials.
 */
export const Movement = v.object({
  id: Id,
  reference: v.string(),
  kind: v.picklist([...TransactionKind.options, "transfer"]),
  status: TransactionStatus,
  direction: v.picklist(["sent", "received"]),
  counterparty: v.string(),
  counterparty_id: Id,
  /** Of a payment of a merchant's session: the merchant's name, where `counterparty` is another. */
  merchant: v.optional(v.string()),
  amount: Sum,
  reversed_amount: v.optional(Sum),
  /** The payment that this refund gives back. */
  reverses: v.optional(Id),
  currency: v.string(),
  created_at: Instant,
  balance_after: v.optional(Sum),
  reason: v.optional(v.string()),
  note: v.optional(v.string()),
  /** Of money that moved: the proof in the receipt's QR, see `POST /v1/receipts/verify`. */
  receipt: v.optional(v.string()),
  /** Of money that moved: a short code on the receipt, to be compared by eye. */
  check_code: v.optional(v.string()),
});
export type Movement = v.InferOutput<typeof Movement>;
