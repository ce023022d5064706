import * as v from "valibot";
import { Amount, DateInput, Details, Id, Instant, ReferenceInput, Sum, text } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { QrState } from "../shared/states.ts";

/** The body that makes a QR: a payment that is not made yet. */
const TransactionQrInput = v.strictObject({
  amount: v.optional(Amount),
  date: v.optional(DateInput),
  details: v.optional(Details),
  from_user: v.optional(text(200)),
  from_user_id: v.optional(Id),
  to_user: v.optional(text(200)),
  to_user_id: Id,
  status: v.optional(v.picklist(["approved", "pending"])),
  expires_in: v.optional(
    v.pipe(
      v.number(),
      v.integer("must be whole seconds"),
      v.minValue(30, "must be at least 30 seconds"),
      v.maxValue(86_400, "must be at most 86400 seconds"),
    ),
  ),
});

/** The JSON form of a new QR; a static code (no amount) has no reference and no expiry. */
export const TransactionQrAnswer = v.object({
  reference: v.optional(v.string()),
  payload: v.string(),
  image: v.optional(v.string()),
  expires_at: v.optional(Instant),
  expires_in: v.optional(v.number()),
  check_code: v.string(),
  to_user_id: v.optional(Id),
  to_user: v.optional(v.string()),
  amount: v.optional(Sum),
  currency: v.optional(v.string()),
});
export type TransactionQrAnswer = v.InferOutput<typeof TransactionQrAnswer>;

/** The fields of a QR that anyone with the reference may know. */
export const TransactionQr = v.object({
  reference: v.string(),
  state: QrState,
  payload: v.string(),
  to_user_id: Id,
  to_user: v.string(),
  amount: Sum,
  currency: v.string(),
  expires_at: Instant,
  expires_in: v.number(),
  check_code: v.string(),
  transaction_id: v.optional(Id),
});
export type TransactionQr = v.InferOutput<typeof TransactionQr>;

export const createTransactionQr = operation({
  name: "createTransactionQr",
  method: "POST",
  path: "/create-transaction-qr",
  tag: "QR",
  summary: "Make a QR that a payer's app can pay",
  description:
    "Registers no payment. The payload is an EMVCo Merchant-Presented Mode text, signed, so that a scanner can tell, " +
    "also offline, that it was issued here and not altered. With an amount: dynamic, single-use, reserves a " +
    "reference and expires (`expires_in`, 30 to 86 400 s, default 900). `from_user_id` then fixes the payer; without " +
    "it anyone may pay. Without an amount: static and reusable, the payer types the amount; no reference, no expiry, " +
    "no fixed payer, and each payment gets its own reference. The payee may be any user: a code for another entity's " +
    "user has neither its nit nor its city (the installation's instead), and making one counts and is recorded as a " +
    "look-up by id: see get-user. PNG by default, SVG by `Accept: image/svg+xml`, JSON only when `Accept` names " +
    "application/json and neither image/* nor */*; its `image` is left out for `Prefer: return=minimal`. " +
    "It names payee, amount and currency as transaction-qr does. " +
    "Image answers carry the same in the headers `Payment-Reference`, `Payment-Expires`, `Payment-Expires-In` and " +
    "`Payment-Check-Code`. It is paid by create-transaction with the payload in `details.qr`; `details` given here " +
    "come back as that payment's `qr_details`, which the payee's creator may take for its own: so a code for another " +
    "entity's user takes none (400 at `/details`). Only an approved or pending payment takes the reference: a " +
    "rejected attempt leaves the code payable, and of two payers at once one wins.",
  access: "bearer",
  scope: "pay",
  body: TransactionQrInput,
  responseOnly: ["id", "reference"],
  answer: TransactionQrAnswer,
  mediaTypes: ["image/png", "image/svg+xml", "application/json"],
  status: 201,
  writes: true,
  errors: ["amount_too_large_for_qr", "user_not_found", "name_mismatch"],
});

export const transactionQr = operation({
  name: "transactionQr",
  method: "GET",
  path: "/transaction-qr",
  tag: "QR",
  summary: "Where a QR stands",
  description:
    "Extension. Any entity may read it. `pending` is paid with a hold, `transaction_id` is there from then on; a " +
    "code without an amount reserves no reference and is not found, nor is one 90 days after it expired unpaid. The " +
    "`ETag` is weak: it changes with the state, " +
    "not with `expires_in`, so that polling with `If-None-Match` is answered 304 until something happens.",
  access: "bearer",
  scope: "read",
  query: v.strictObject({ reference: ReferenceInput }),
  answer: TransactionQr,
  status: 200,
  writes: false,
  errors: ["qr_not_found"],
});

export const cancelTransactionQr = operation({
  name: "cancelTransactionQr",
  method: "POST",
  path: "/cancel-transaction-qr",
  tag: "QR",
  summary: "Withdraw a QR that nobody has paid",
  description:
    "Extension. Only the entity that made the QR; cancelling it twice is the same as once. It can be paid no more, " +
    "and find-transaction-by-reference answers `reference_cancelled`. A code that a hold has taken is " +
    "`qr_already_paid`: release the hold with settle-transaction, then cancel.",
  access: "bearer",
  scope: "pay",
  body: v.strictObject({ reference: ReferenceInput }),
  answer: TransactionQr,
  status: 200,
  writes: true,
  errors: ["qr_not_found", "not_allowed", "qr_already_paid", "qr_expired"],
});
