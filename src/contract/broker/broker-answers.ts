import * as v from "valibot";
import { ExceededLimit } from "../shared/exceeded-limit.ts";
import { AnswerObject, Id, Instant, Sum } from "../shared/fields.ts";
import { QrState, TransactionKind, TransactionStatus, UserStatus } from "../shared/states.ts";

export * from "./movements.ts";

/** The kinds of widget sessions. */
export const SessionKind = v.picklist(["pay", "recharge", "quota"]);

/** The state of a payment session, as the merchant's backend and its page read it. */
export const SessionState = QrState;

/** An approval: one payment, transfer or refund that a person reviews and approves, with its state and outcome. */
export const Approval = v.object({
  id: Id,
  state: v.picklist(["open", "running", "approved", "rejected", "failed", "withdrawn", "expired"]),
  payee: v.string(),
  /** While it is open: the person's own name for the payee, shown beside `payee` and never instead. */
  nickname: v.optional(v.string()),
  /** The merchant whose session is paid, where it has another name than `payee`, the user who gets the money. */
  merchant: v.optional(v.string()),
  /** While it is open, and once approved: the way back to the shop's page, for the person to press. */
  return_url: v.optional(v.string()),
  first_time_payee: v.boolean(),
  amount: Sum,
  currency: v.string(),
  reference: v.optional(v.string()),
  check_code: v.optional(v.string()),
  expires_in: v.number(),
  /** `pay` a code, `transfer` balance to somebody who was looked up, or `refund` a received payment. */
  operation: v.picklist(["pay", "transfer", "refund"]),
  /** How the person approves: `button` only for people whom the demo let in without a passkey. */
  method: v.picklist(["passkey", "button"]),
  /** The browser's request to the passkey (`PublicKeyCredentialRequestOptionsJSON`), while the approval is open. */
  options: v.optional(AnswerObject),
  /** This device came by a re-enrolment and may not pay before then. */
  may_pay_from: v.optional(Instant),
  transaction_id: v.optional(Id),
  transaction_reference: v.optional(v.string()),
  /** The person's own reason of a rejection, or why it failed. */
  reason: v.optional(v.string()),
  /** With the reason `limit_exceeded`: which limit it was, what is left of it, and until when. */
  exceeded_limit: v.optional(ExceededLimit),
  quota_available: v.optional(Sum),
  /** When the payment was approved or rejected, or failed, or the approval was withdrawn. */
  decided_at: v.optional(Instant),
  /** When an outcome that was reported as failed was corrected to the one that stands here. */
  corrected_at: v.optional(Instant),
});
export type Approval = v.InferOutput<typeof Approval>;

/** The signed-in person: profile, quota, and notices about the session, new devices and selling requests. */
export const Me = v.object({
  id: Id,
  name: v.string(),
  business_name: v.nullable(v.string()),
  quota: v.nullable(Sum),
  quota_available: v.nullable(Sum),
  score: v.nullable(v.number()),
  status: UserStatus,
  currency: v.string(),
  as_of: Instant,
  /** The session is one that the demo started, without a passkey. */
  demo: v.boolean(),
  /** This device came by a re-enrolment and may not pay before then. */
  may_pay_from: v.optional(Instant),
  /** Devices that came by a re-enrolment and do not pay yet, this one not among them: they can be refused. */
  new_devices: v.number(),
  /** How many merchants are to sell top-ups with the person's quota, once the person agrees; absent for none. */
  selling_requests: v.optional(v.number()),
});
export type Me = v.InferOutput<typeof Me>;

/** The data that a page's `<pay-qr>` shows, and the state of the payment. */
export const PaySession = v.object({
  kind: v.literal("pay"),
  state: SessionState,
  payee: v.string(),
  amount: v.optional(Sum),
  currency: v.string(),
  reference: v.string(),
  check_code: v.string(),
  payload: v.string(),
  /** Link that opens the payer's app with this code: `https://APP/p#PAYLOAD`. */
  app_link: v.string(),
  expires_at: Instant,
  expires_in: v.number(),
  /** Attempts that were rejected so far; the code stays payable. */
  rejected_attempts: v.number(),
});
export type PaySession = v.InferOutput<typeof PaySession>;

/** The data that a page's `<recharge-form>` shows: its seller and till, and how much it may still sell. */
export const RechargeSession = v.object({
  kind: v.literal("recharge"),
  /** The merchant that sells, and so pays for, the top-ups. */
  seller: v.string(),
  till: v.optional(v.string()),
  currency: v.string(),
  /** Most of one top-up. */
  max_amount: v.optional(Sum),
  /** How much this session may still sell. */
  left_to_sell: v.optional(Sum),
  /** The sales of this till on this business day. */
  sold_today: v.object({ count: v.number(), amount: Sum }),
  expires_at: Instant,
  expires_in: v.number(),
});
export type RechargeSession = v.InferOutput<typeof RechargeSession>;

/** One line of the last movements in a page's `<user-quota>`. */
export const QuotaMovement = v.object({
  id: Id,
  kind: TransactionKind,
  status: TransactionStatus,
  direction: v.picklist(["sent", "received"]),
  counterparty: v.string(),
  amount: Sum,
  created_at: Instant,
});
export type QuotaMovement = v.InferOutput<typeof QuotaMovement>;

/** The data of one user that a page's `<user-quota>` shows. */
export const QuotaSession = v.object({
  kind: v.literal("quota"),
  name: v.string(),
  quota: v.nullable(Sum),
  quota_available: v.nullable(Sum),
  score: v.nullable(v.number()),
  status: UserStatus,
  currency: v.string(),
  /** The latest five, newest first. */
  movements: v.array(QuotaMovement),
  as_of: Instant,
  expires_at: Instant,
  expires_in: v.number(),
});
export type QuotaSession = v.InferOutput<typeof QuotaSession>;

/** The data that the widget of a session shows, by the session's kind. */
export const WidgetSession = v.variant("kind", [PaySession, RechargeSession, QuotaSession]);
export type WidgetSession = v.InferOutput<typeof WidgetSession>;

/** A top-up that a till sold, or tried to. */
export const Recharge = v.object({
  id: Id,
  /** `failed`: no money moved, and none will; `running`: the outcome is not known yet, ask again with the same key. */
  state: v.picklist(["running", "approved", "rejected", "failed"]),
  /** Of the payment, as receipts show it. */
  reference: v.optional(v.string()),
  /** The receiver's masked name. */
  name: v.string(),
  amount: Sum,
  currency: v.string(),
  till: v.optional(v.string()),
  /** Why it was rejected or failed: the seller's own reason, never the receiver's. */
  reason: v.optional(v.string()),
  /** With the reason `limit_exceeded`: the seller's limit, what is left of it, and until when. */
  exceeded_limit: v.optional(ExceededLimit),
  created_at: Instant,
  /** When an outcome that was reported as failed was corrected to the one that stands here. */
  corrected_at: v.optional(Instant),
});
export type Recharge = v.InferOutput<typeof Recharge>;

/** A person's permission for a merchant to show the person's quota. */
export const Grant = v.object({
  id: Id,
  merchant_id: Id,
  merchant: v.string(),
  created_at: Instant,
  last_used_at: v.nullable(Instant),
  /** The permission ends then, unless the person gives it again. */
  lapses_at: Instant,
});
export type Grant = v.InferOutput<typeof Grant>;

/** The server's answer to a scanned code, once its signature is verified: its payee, amount, state and check code. */
export const Scan = v.object({
  kind: v.picklist(["dynamic", "static"]),
  state: QrState,
  payload: v.string(),
  payee: v.string(),
  payee_id: Id,
  /** The merchant whose session this is, where it has another name than `payee`. */
  merchant: v.optional(v.string()),
  amount: v.optional(Sum),
  currency: v.string(),
  reference: v.optional(v.string()),
  check_code: v.string(),
  expires_in: v.optional(v.number()),
  /** The way back to the shop's page, for the person to press; of a paid code for the one who paid it. */
  return_url: v.optional(v.string()),
  /** The code is the person's own. */
  own: v.boolean(),
});
export type Scan = v.InferOutput<typeof Scan>;

/** A payment QR of the signed-in person, who is its payee; with an amount it has a reference and expires. */
export const OwnQr = v.object({
  payload: v.string(),
  app_link: v.string(),
  check_code: v.string(),
  reference: v.optional(v.string()),
  expires_in: v.optional(v.number()),
});
export type OwnQr = v.InferOutput<typeof OwnQr>;

/** Public keys that verify the signatures of codes, also offline (qr: Payload). */
export const QrKeys = v.object({
  guid: v.string(),
  keys: v.array(
    v.object({
      kid: v.string(),
      key: v.string(),
      not_before: Instant,
      not_after: v.optional(Instant),
      revoked: v.optional(v.boolean()),
    }),
  ),
});
export type QrKeys = v.InferOutput<typeof QrKeys>;
