import * as v from "valibot";
import { AnswerObject, Id, Instant, Sum } from "../shared/fields.ts";

/** The events that a merchant's webhook receives. */
export const MerchantEventType = v.picklist(["payment.paid", "payment.refunded", "payment.expired"]);
export type MerchantEventType = v.InferOutput<typeof MerchantEventType>;

/** The data that a session was started with, by whoever may be believed: a page may send anything. */
export const sessionDetails = {
  /** As the merchant's backend sent it. */
  details: v.optional(AnswerObject),
  /** As a page sent it with the publishable key. */
  page_details: v.optional(AnswerObject),
};

/** The message that the broker sends to a merchant's `webhook_url`, signed as Standard Webhooks asks. */
export const MerchantEvent = v.object({
  type: MerchantEventType,
  /** When it happened, which the attempts do not change. */
  timestamp: Instant,
  data: v.object({
    session_id: Id,
    /** As the merchant gave it. */
    order: v.optional(v.string()),
    reference: v.string(),
    amount: Sum,
    currency: v.string(),
    /** Of `payment.paid` and `payment.refunded`. */
    transaction_id: v.optional(Id),
    paid_at: v.optional(Instant),
    /** How much was given back so far, of `payment.refunded`: the latest message has the most. */
    refunded_amount: v.optional(Sum),
    /** Of `payment.refunded`: the refund that brought `refunded_amount` there; absent where that is not known. */
    refund: v.optional(
      v.object({
        /** As `POST /v1/payments/{payment_id}/refunds` answered it, else the `transaction_id`. */
        id: Id,
        transaction_id: Id,
        amount: Sum,
        /** The words for the payer. */
        reason: v.optional(v.string()),
      }),
    ),
    ...sessionDetails,
  }),
});
export type MerchantEvent = v.InferOutput<typeof MerchantEvent>;
