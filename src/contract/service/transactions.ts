import * as v from "valibot";
import { ExceededLimit } from "../shared/exceeded-limit.ts";
import {
  Amount,
  AnswerObject,
  DateInput,
  Details,
  Id,
  Instant,
  ReferenceInput,
  Sum,
  syncErrors,
  syncFields,
  text,
} from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { TransactionKind, TransactionStatus } from "../shared/states.ts";

/** Why a payment was rejected. */
export const RejectionReason = v.picklist([
  "insufficient_balance",
  "balance_limit",
  "counterparty_limit",
  "limit_exceeded",
  "payer_blocked",
  "hold_expired",
  "released",
]);

/** The body that creates a payment, a top-up or a QR. */
const transactionFields = {
  amount: Amount,
  date: v.optional(DateInput),
  details: v.optional(Details),
  from_user: v.optional(text(200)),
  from_user_id: Id,
  to_user: v.optional(text(200)),
  to_user_id: Id,
};

/** The status that a caller may ask for: settle now, hold, or record a rejection. */
const RequestedStatus = v.picklist(["approved", "pending", "rejected"]);

/** A payment to create. */
export const TransactionInput = v.strictObject({ ...transactionFields, status: v.optional(RequestedStatus) });
export type TransactionInput = v.InferOutput<typeof TransactionInput>;

/** A payment as the service answers it. */
export const Transaction = v.object({
  id: Id,
  reference: v.string(),
  kind: TransactionKind,
  status: TransactionStatus,
  reason: v.optional(RejectionReason),
  exceeded_limit: v.optional(ExceededLimit),
  amount: Sum,
  currency: v.string(),
  date: Instant,
  created_at: Instant,
  details: AnswerObject,
  qr_details: v.optional(AnswerObject),
  from_user: v.string(),
  from_user_id: Id,
  from_business_name: v.optional(v.string()),
  to_user: v.string(),
  to_user_id: Id,
  to_business_name: v.optional(v.string()),
  from_balance_after: v.optional(Sum),
  to_balance_after: v.optional(Sum),
  held_amount: v.optional(Sum),
  hold_expires_at: v.optional(Instant),
  reversed_amount: v.optional(Sum),
  reverses: v.optional(Id),
});
export type Transaction = v.InferOutput<typeof Transaction>;

/** One receiver of a batched payment. */
const PaymentItem = v.strictObject({
  amount: Amount,
  details: v.optional(Details),
  to_user: v.optional(text(200)),
  to_user_id: Id,
});

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A payment in a summary, without its details: those are in the payment itself. */
export const SummaryPayment = v.object({
  id: Id,
  reference: v.string(),
  kind: TransactionKind,
  status: TransactionStatus,
  reason: v.optional(RejectionReason),
  amount: Sum,
  date: Instant,
  created_at: Instant,
});
export type SummaryPayment = v.InferOutput<typeof SummaryPayment>;

/**
 * A receiver that a user has paid: the total less refunds, the counts of payments by status, and the latest payments.
 */
export const SummaryItem = v.object({
  _id: Id,
  to_user: v.string(),
  total_amount: v.string(),
  transactions: v.object({
    count: Count,
    first_date: Instant,
    last_date: Instant,
    by_status: v.object({ pending: Count, approved: Count, rejected: Count, reversed: Count }),
    latest: v.array(SummaryPayment),
  }),
});
export type SummaryItem = v.InferOutput<typeof SummaryItem>;

const listQuery = {
  "user-id": Id,
  "from-date": v.optional(DateInput),
  "to-date": v.optional(DateInput),
  status: v.optional(TransactionStatus),
  kind: v.optional(TransactionKind),
  ...syncFields,
};
const LISTS =
  "`from-date` and `to-date` bound the time of recording (`created_at`); an end that is left out is open, and no " +
  "period is too long. `changed-since` gives what was recorded or changed since (settled, lapsed, reversed), oldest " +
  "change first, each payment as it is now: filters look at that, so ask without `status` to hear of payments that " +
  "left one.";

const UNTOLD =
  "What another entity's user was to pay, and was rejected without a hold, is listed for the payer's creator alone.";

const settling =
  "Settles at once, or rejects and says why in `reason` (still 201), the first that holds of: `payer_blocked`, " +
  "`limit_exceeded`, `insufficient_balance`, `counterparty_limit` (the payer's entity would owe the payee's more " +
  "than that one allows: GET /counterparty-limits), `balance_limit`. `status: pending` holds the payer's money " +
  "instead, for 7 days (`hold_expires_at`), until settle-transaction: a hold counts against limits when it is made. " +
  "`status: rejected` only records.";
const responseOnly = ["id", "reference"] as const;
const paying = ["user_not_found", "payer_not_yours", "name_mismatch"] as const;

export const createTransaction = operation({
  name: "createTransaction",
  method: "POST",
  path: "/create-transaction",
  tag: "Transactions",
  summary: "Pay from one user to another",
  description:
    `${settling} A payment by QR carries the code's payload in \`details.qr\`; the code's reference is taken when ` +
    "the payment is approved or pending, and payable again when a hold comes to nothing. White space around the " +
    "payload is dropped, and any other string that holds a code of ours, such as one cut off at its start, is 400 " +
    "`qr_not_authentic`; all else in `details.qr` is ordinary data. The payer must be a user that the caller's " +
    "entity created. Names are optional; one that is sent must match.",
  access: "bearer",
  scope: "pay",
  body: TransactionInput,
  responseOnly,
  answer: Transaction,
  status: 201,
  writes: true,
  errors: [
    "qr_not_authentic",
    ...paying,
    "qr_mismatch",
    "qr_other_payer",
    "qr_cancelled",
    "qr_already_paid",
    "qr_expired",
  ],
});

export const createPaymentTransaction = operation({
  name: "createPaymentTransaction",
  method: "POST",
  path: "/create-payment-transaction",
  tag: "Transactions",
  summary: "Pay several users at once, all or nothing",
  description:
    "Every payment is approved, or every one is rejected (still 201) and nothing moves. They are taken in the order " +
    "of the list, and answered in it: the first that cannot settle once those before it have carries the `reason`, " +
    "the other rejected ones carry none. The payer's available balance, and its limit per day, must cover the sum. A " +
    "receiver may come several times. Each payment has its own id and reference, and is of kind `batch`, dated now. " +
    "`details.qr` is ordinary data here: pay a QR with create-transaction. The body holds at most 256 KiB, details " +
    "included.",
  access: "bearer",
  scope: "pay",
  body: v.strictObject({
    from_user: v.optional(text(200)),
    from_user_id: Id,
    payments: v.pipe(
      v.array(PaymentItem),
      v.minLength(1, "must hold at least one payment"),
      v.maxLength(500, "must hold at most 500 payments"),
    ),
  }),
  responseOnly,
  answer: v.array(Transaction),
  status: 201,
  writes: true,
  errors: paying,
});

export const createRechargeTransaction = operation({
  name: "createRechargeTransaction",
  method: "POST",
  path: "/create-recharge-transaction",
  tag: "Transactions",
  summary: "Sell a top-up: from the point of sale to the user who receives it",
  description:
    "The payer is the point that sells the top-up, and must be a user that the caller's entity created; the payee is " +
    `the user who receives it. ${settling} Of kind \`recharge\`. ` +
    "`details.qr` is ordinary data here. Names are optional; one that is sent must match.",
  access: "bearer",
  scope: "pay",
  body: TransactionInput,
  responseOnly,
  answer: Transaction,
  status: 201,
  writes: true,
  errors: paying,
});

const reading = {
  method: "GET",
  tag: "Transactions",
  access: "bearer",
  scope: "read",
  status: 200,
  writes: false,
} as const;

export const transaction = operation({
  ...reading,
  name: "transaction",
  path: "/transaction",
  summary: "Look up a payment by its id",
  description:
    "One that the caller made, or of which it created the payer or the payee; any other is not found, and for the " +
    "payee's creator neither is another entity's payment that was rejected without a hold. Transfers are not " +
    "payments: see ledger-transaction-history.",
  query: v.strictObject({ id: Id }),
  answer: Transaction,
  errors: ["transaction_not_found"],
});

export const transactionHistory = operation({
  ...reading,
  name: "transactionHistory",
  path: "/transaction-history",
  summary: "Payments that a user received, of every kind and status",
  description: `Newest first by recording time. \`direction\` widens it to what the user sent. ${UNTOLD} ${LISTS}`,
  query: v.strictObject({ ...listQuery, direction: v.optional(v.picklist(["received", "sent", "all"])) }),
  answer: v.array(Transaction),
  errors: [...syncErrors, "user_not_found"],
});

export const receivedPayments = operation({
  ...reading,
  name: "receivedPayments",
  path: "/received-payments",
  summary: "Settled money that a user received",
  description: `Approved and reversed payments, newest first; refunds only with \`kind=refund\`. ${LISTS}`,
  query: v.strictObject(listQuery),
  answer: v.array(Transaction),
  errors: [...syncErrors, "user_not_found"],
});

export const transactionSummary = operation({
  ...reading,
  name: "transactionSummary",
  path: "/transaction-summary",
  summary: "Whom a user has paid, and how much",
  description:
    "One item per receiver to whom at least one payment was settled: `_id` and `to_user` are the receiver's id and " +
    "present name, `total_amount` is what was paid less what was reversed, in currency units. `transactions` tells " +
    "of all payments to that receiver, of every status: how many, the recording times of the first and the last, how " +
    "many of each status, and the latest ten. Refunds and ledger transfers are no payments here. Receivers come " +
    "newest first, by the first payment that was settled to each, so that later payments move none between pages. An " +
    "entity sees, and the sums contain, payments that it made or of which it created a party; where it created the " +
    "receiver alone, `latest` has none that was rejected without a hold. `changed-since` gives " +
    "receivers to whom a payment was recorded or changed since, each with all that it comes to now.",
  query: v.strictObject({ "user-id": Id, ...syncFields }),
  answer: v.array(SummaryItem),
  errors: [...syncErrors, "user_not_found"],
});

export const findTransactionByReference = operation({
  ...reading,
  name: "findTransactionByReference",
  path: "/find-transaction-by-reference",
  summary: "Look up a payment by its reference",
  description:
    "A reference as people type it is understood: hyphens, either case, I and L for 1, O for 0; one that is mistyped " +
    "is 400 and says so. One that a QR reserved and nobody paid is 404 with a code of its own. A payment that the " +
    "caller neither made nor created a party of is not found, nor is one that GET /transaction does not find for it.",
  query: v.strictObject({ reference: ReferenceInput }),
  answer: Transaction,
  errors: ["reference_unpaid", "reference_expired", "reference_cancelled", "transaction_not_found"],
});
