import * as v from "valibot";
import { type Language, languages } from "../../language/languages.ts";
import { Amount, Id, Instant, pageFields, Sum, text } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { TransactionKind } from "../shared/states.ts";
import { Movement } from "./movements.ts";
import { Proof, refusedProofs } from "./passkeys.ts";

const person = { tag: "People", access: "person" } as const;

/** One payee of the person's summary of payments. */
export const SummaryPayee = v.object({
  payee_id: Id,
  payee: v.string(),
  /** The sum of the payments less their refunds. */
  total: Sum,
  payments: v.number(),
  last_at: Instant,
});
export type SummaryPayee = v.InferOutput<typeof SummaryPayee>;

export const mySummary = operation({
  ...person,
  name: "mySummary",
  method: "GET",
  path: "/v1/me/summary",
  summary: "Whom the person paid how much",
  query: v.strictObject(pageFields),
  answer: v.array(SummaryPayee),
  status: 200,
  writes: false,
  errors: ["invalid_cursor", "upstream_failed"],
});

const Month = v.pipe(v.string(), v.regex(/^(?:19|2\d)\d{2}-(?:0[1-9]|1[0-2])$/, "must be a month such as 2026-03"));

/** The reason of a movement: the kind of a payment, or a posting of the entity. */
const StatementKind = v.picklist([
  ...TransactionKind.options,
  "transfer",
  "credit",
  "deposit",
  "repayment",
  "payout",
  "cancellation",
]);

/** A movement of a statement; its amount is below zero where it took from the balance. */
const StatementMovement = v.object({
  /** Of the payment or transfer, else of the posting. */
  id: Id,
  /** Booking day. */
  day: v.pipe(v.string(), v.isoDate(), v.metadata({ examples: ["2026-03-31"] })),
  kind: StatementKind,
  reference: v.string(),
  counterparty: v.optional(v.string()),
  amount: Sum,
  balance_after: Sum,
  note: v.optional(v.string()),
  created_at: Instant,
});

/** A language in which people are written to. */
const LanguageCode = v.picklist(Object.keys(languages) as Language[]);

export const myStatement = operation({
  ...person,
  name: "myStatement",
  method: "GET",
  path: "/v1/me/statement",
  summary: "A month of the person's account, also as PDF and CSV",
  description:
    "Months of the business time zone. All that moved the person's posted balance, by booking day: " +
    "`opening_balance` + `money_in` − `money_out` = `closing_balance`, and each month opens with what the one before " +
    "closed with. The present month comes as it stands, with `final` false; one that is over comes once its books " +
    "are closed, some minutes after its end (until then 503), and is the same whenever it is asked for. One that has " +
    "begun in another zone alone is empty. `Accept: application/pdf` or `text/csv`.",
  query: v.strictObject({ month: Month, language: v.optional(LanguageCode) }),
  answer: v.object({
    month: v.string(),
    name: v.string(),
    currency: v.string(),
    final: v.boolean(),
    opening_balance: Sum,
    money_in: Sum,
    money_out: Sum,
    closing_balance: Sum,
    movements: v.array(StatementMovement),
    as_of: Instant,
  }),
  mediaTypes: ["application/json", "text/csv", "application/pdf"],
  status: 200,
  writes: false,
  errors: ["month_not_closed", "upstream_failed"],
});

export const verifyReceipt = operation({
  name: "verifyReceipt",
  method: "POST",
  path: "/v1/receipts/verify",
  tag: "Receipts",
  summary: "Whether a receipt is one of ours, and what it stands for now",
  description:
    "Whoever holds the receipt's QR may ask; the answer tells no more than the receipt itself, and its state.",
  access: "none",
  body: v.strictObject({ receipt: text(400) }),
  answer: v.object({
    kind: Movement.entries.kind,
    status: Movement.entries.status,
    reference: v.string(),
    payer: v.string(),
    payee: v.string(),
    amount: Sum,
    reversed_amount: v.optional(Sum),
    currency: v.string(),
    created_at: Instant,
    check_code: v.string(),
  }),
  status: 200,
  writes: false,
  errors: ["receipt_not_authentic", "upstream_failed"],
});

const Limit = v.object({
  /** The entity's; null: none. */
  entity: v.nullable(Sum),
  /** The person's own, never above the entity's; null: none. */
  own: v.nullable(Sum),
});

/** The limits of a person's payments. */
export const Limits = v.object({
  payment: Limit,
  day: Limit,
  first_time_payee: Limit,
  /** While the person's first device is new: most that they pay until then, and what is left of it. */
  new_device: v.optional(v.object({ amount: Sum, left: Sum, until: Instant })),
  /** Approved by this person on this business day, and sold by tills in the person's name. */
  spent_today: Sum,
  currency: v.string(),
});
export type Limits = v.InferOutput<typeof Limits>;

export const myLimits = operation({
  ...person,
  name: "myLimits",
  method: "GET",
  path: "/v1/me/limits",
  summary: "Most that the person may pay: at once, in a day, and to somebody for the first time",
  answer: Limits,
  status: 200,
  writes: false,
  errors: [],
});

export const putMyLimits = operation({
  ...person,
  name: "putMyLimits",
  method: "PUT",
  path: "/v1/me/limits",
  summary: "Lower one's own limits at once, or raise them again with a passkey",
  description:
    "A field that is left out stays as it is; null leaves the entity's limit alone to hold. Raising takes a `proof` " +
    "for `raise_limits`. Lowering below a tenth of the entity's limit, or at all where it has none, takes one for " +
    "`lower_limits`: nobody but the person stops the person from paying. Without it the answer is `proof_needed`.",
  body: v.strictObject({
    payment: v.optional(v.nullable(Amount)),
    day: v.optional(v.nullable(Amount)),
    first_time_payee: v.optional(v.nullable(Amount)),
    proof: v.optional(Proof),
  }),
  answer: Limits,
  status: 200,
  writes: true,
  errors: [...refusedProofs, "device_too_new", "proof_needed"],
});

const PushEndpoint = v.pipe(
  text(1024),
  v.regex(/^https?:\/\//, "must be the https URL of a push service"),
  v.metadata({ examples: ["https://push.example/send/4f1c"] }),
);

export const myPush = operation({
  ...person,
  name: "myPush",
  method: "GET",
  path: "/v1/me/push",
  summary: "The key that this server signs its push messages with (RFC 8292)",
  answer: v.object({ public_key: v.string() }),
  status: 200,
  writes: false,
  errors: [],
});

export const startMyPush = operation({
  ...person,
  name: "startMyPush",
  method: "POST",
  path: "/v1/me/push",
  summary: "Send this browser a message when money arrives, until the session ends",
  body: v.strictObject({
    endpoint: PushEndpoint,
    keys: v.strictObject({ p256dh: text(200), auth: text(100) }),
    language: LanguageCode,
  }),
  answer: v.object({ on: v.literal(true) }),
  status: 200,
  writes: true,
  errors: ["not_allowed"],
});

export const endMyPush = operation({
  ...person,
  name: "endMyPush",
  method: "POST",
  path: "/v1/me/push/end",
  summary: "Send this browser no messages any more",
  body: v.strictObject({ endpoint: PushEndpoint }),
  answer: v.object({ on: v.literal(false) }),
  status: 200,
  writes: true,
  errors: [],
});
