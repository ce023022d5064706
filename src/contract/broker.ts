import * as v from "valibot";
import { Amount, Details, Id, Instant, pageFields, ReferenceInput, Sum, text } from "./fields.ts";
import { operation } from "./operation.ts";
import { QrState } from "./qr.ts";
import { TransactionKind, TransactionStatus } from "./transactions.ts";
import { UserStatus } from "./users.ts";

/** What a widget session is for. */
const SessionKind = v.picklist(["pay", "recharge", "quota"]);

/** Where a payment session stands, as a shop's backend and its page see it. */
const SessionState = QrState;

/** An approval: one payment that a person has looked at, and its outcome. */
export const Approval = v.object({
  id: Id,
  state: v.picklist(["open", "running", "approved", "rejected", "failed", "expired"]),
  payee: v.string(),
  first_time_payee: v.boolean(),
  amount: Sum,
  currency: v.string(),
  reference: v.optional(v.string()),
  check_code: v.optional(v.string()),
  expires_in: v.number(),
  /** How the person approves: `button` for demo people only. */
  method: v.picklist(["passkey", "button"]),
  transaction_id: v.optional(Id),
  transaction_reference: v.optional(v.string()),
  /** The person's own reason of a rejection, or why it failed. */
  reason: v.optional(v.string()),
  quota_available: v.optional(Sum),
});
export type Approval = v.InferOutput<typeof Approval>;

/** A payment as one of its two parties sees it: never the other party's balance, profile or reason. */
export const Movement = v.object({
  id: Id,
  reference: v.string(),
  kind: TransactionKind,
  status: TransactionStatus,
  direction: v.picklist(["sent", "received"]),
  counterparty: v.string(),
  amount: Sum,
  reversed_amount: v.optional(Sum),
  currency: v.string(),
  created_at: Instant,
  balance_after: v.optional(Sum),
  reason: v.optional(v.string()),
  note: v.optional(v.string()),
});
export type Movement = v.InferOutput<typeof Movement>;

/** The signed-in person. */
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
  demo: v.boolean(),
});
export type Me = v.InferOutput<typeof Me>;

/** What a page's `<pay-qr>` shows, and where the payment stands. */
export const WidgetSession = v.object({
  kind: SessionKind,
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
export type WidgetSession = v.InferOutput<typeof WidgetSession>;

/** What a scan turned out to be, as the server knows it. */
export const Scan = v.object({
  kind: v.picklist(["dynamic", "static"]),
  state: QrState,
  payload: v.string(),
  payee: v.string(),
  payee_id: Id,
  amount: v.optional(Sum),
  currency: v.string(),
  reference: v.optional(v.string()),
  check_code: v.string(),
  expires_in: v.optional(v.number()),
  /** The code is the person's own. */
  own: v.boolean(),
});
export type Scan = v.InferOutput<typeof Scan>;

/** One's own QR. */
export const OwnQr = v.object({
  payload: v.string(),
  app_link: v.string(),
  check_code: v.string(),
  reference: v.optional(v.string()),
  expires_in: v.optional(v.number()),
});
export type OwnQr = v.InferOutput<typeof OwnQr>;

/** Public keys for offline verification (qr: Payload). */
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

const merchant = { tag: "Merchants", access: "merchant" } as const;
const person = { tag: "People", access: "person" } as const;
const sessionId = { params: v.strictObject({ session_id: Id }) };
const unpaidQr = ["qr_not_found", "qr_already_paid", "qr_expired", "upstream_failed"] as const;

const SessionStatus = v.object({
  state: SessionState,
  transaction_id: v.optional(Id),
  reference: v.string(),
  amount: v.optional(Sum),
  currency: v.string(),
  order: v.optional(v.string()),
  paid_at: v.optional(Instant),
});

export const createSession = operation({
  ...merchant,
  name: "createSession",
  method: "POST",
  path: "/v1/sessions",
  summary: "Start a widget session: for `pay`, makes the QR",
  description: "With `order`, asking again while the session is payable or paid gives the same session.",
  body: v.strictObject({
    kind: SessionKind,
    amount: v.optional(Amount),
    order: v.optional(text(120)),
    details: v.optional(Details),
    expires_in: v.optional(
      v.pipe(
        v.number(),
        v.integer("must be whole seconds"),
        v.minValue(30, "must be at least 30"),
        v.maxValue(86_400, "must be at most 86400"),
      ),
    ),
    origin: v.pipe(text(300), v.regex(/^https?:\/\/[^/\s]+$/, "must be an origin such as https://shop.example")),
    max_amount: v.optional(Amount),
    user: v.optional(Id),
  }),
  answer: v.object({
    session: v.string(),
    session_id: Id,
    reference: v.string(),
    expires_at: Instant,
    expires_in: v.number(),
  }),
  status: 201,
  writes: true,
  errors: ["not_allowed", "idempotency_key_reused", "not_implemented", "upstream_failed"],
});

export const sessionStatus = operation({
  ...merchant,
  ...sessionId,
  name: "sessionStatus",
  method: "GET",
  path: "/v1/sessions/:session_id",
  summary: "Whether a session was paid: how a shop's backend knows for certain",
  answer: SessionStatus,
  status: 200,
  writes: false,
  errors: ["not_found", "upstream_failed"],
});

export const cancelSession = operation({
  ...merchant,
  ...sessionId,
  name: "cancelSession",
  method: "POST",
  path: "/v1/sessions/:session_id/cancel",
  summary: "Withdraw an unpaid session",
  answer: SessionStatus,
  status: 200,
  writes: true,
  errors: ["not_found", ...unpaidQr],
});

export const widgetSession = operation({
  name: "widgetSession",
  method: "GET",
  path: "/v1/session",
  tag: "Widgets",
  summary: "What the widget shows, and where the payment stands",
  access: "widget",
  answer: WidgetSession,
  status: 200,
  writes: false,
  errors: ["upstream_failed"],
});

export const createScan = operation({
  ...person,
  name: "createScan",
  method: "POST",
  path: "/v1/scans",
  summary: "What the server knows of a scanned code or a typed reference",
  body: v.pipe(
    v.strictObject({
      payload: v.optional(text(1024)),
      reference: v.optional(ReferenceInput),
      link: v.optional(text(2048)),
    }),
    v.check((body) => Object.keys(body).length === 1, "must have exactly one of payload, reference and link"),
  ),
  answer: Scan,
  status: 200,
  writes: false,
  errors: ["qr_not_authentic", "qr_not_found", "upstream_failed"],
});

export const openApproval = operation({
  ...person,
  name: "openApproval",
  method: "POST",
  path: "/v1/approvals",
  summary: "Open an approval: what the person is about to pay, stored for two minutes",
  body: v.strictObject({ payload: text(1024), amount: v.optional(Amount), note: v.optional(text(140)) }),
  answer: Approval,
  status: 201,
  writes: true,
  errors: [
    "qr_not_authentic",
    "not_allowed",
    "qr_mismatch",
    "qr_other_payer",
    "qr_cancelled",
    "qr_already_paid",
    "qr_expired",
    "limit_exceeded",
    "upstream_failed",
  ],
});

export const confirmApproval = operation({
  ...person,
  name: "confirmApproval",
  method: "POST",
  path: "/v1/approvals/:id/confirm",
  summary: "Approve the payment; asking again tells the outcome",
  params: v.strictObject({ id: Id }),
  body: v.strictObject({
    payee: v.string(),
    amount: Amount,
    reference: v.optional(v.string()),
    demo: v.optional(v.literal(true)),
  }),
  answer: Approval,
  status: 200,
  writes: true,
  errors: ["not_found", "approval_mismatch", "approval_expired", "upstream_failed"],
});

export const approval = operation({
  ...person,
  name: "approval",
  method: "GET",
  path: "/v1/approvals/:id",
  summary: "What became of an approval",
  params: v.strictObject({ id: Id }),
  answer: Approval,
  status: 200,
  writes: false,
  errors: ["not_found", "upstream_failed"],
});

export const me = operation({
  ...person,
  name: "me",
  method: "GET",
  path: "/v1/me",
  summary: "The signed-in person and the quota",
  answer: Me,
  status: 200,
  writes: false,
  errors: ["upstream_failed"],
});

export const myHistory = operation({
  ...person,
  name: "myHistory",
  method: "GET",
  path: "/v1/me/history",
  summary: "What the person sent and received",
  query: v.strictObject({ direction: v.optional(v.picklist(["received", "sent", "all"])), ...pageFields }),
  answer: v.array(Movement),
  status: 200,
  writes: false,
  errors: ["invalid_cursor", "upstream_failed"],
});

export const myReceived = operation({
  ...person,
  name: "myReceived",
  method: "GET",
  path: "/v1/me/received",
  summary: "Settled money that the person received",
  query: v.strictObject(pageFields),
  answer: v.array(Movement),
  status: 200,
  writes: false,
  errors: ["invalid_cursor", "upstream_failed"],
});

export const createMyQr = operation({
  ...person,
  name: "createMyQr",
  method: "POST",
  path: "/v1/me/qr",
  summary: "One's own QR, with or without an amount",
  body: v.strictObject({ amount: v.optional(Amount), note: v.optional(text(140)) }),
  answer: OwnQr,
  status: 201,
  writes: true,
  errors: ["amount_too_large_for_qr", "upstream_failed"],
});

export const myQr = operation({
  ...person,
  name: "myQr",
  method: "GET",
  path: "/v1/me/qr",
  summary: "Whether one's own QR was paid",
  query: v.strictObject({ reference: ReferenceInput }),
  answer: v.object({ state: QrState, expires_in: v.number(), transaction_id: v.optional(Id) }),
  status: 200,
  writes: false,
  errors: ["qr_not_found", "upstream_failed"],
});

export const demoPeople = operation({
  name: "demoPeople",
  method: "GET",
  path: "/v1/demo/people",
  tag: "Demo",
  summary: "Who may be tried in the demo; 404 where there is none",
  access: "none",
  answer: v.array(
    v.object({ person: v.string(), name: v.string(), role: v.picklist(["payer", "merchant", "operator"]) }),
  ),
  status: 200,
  writes: false,
  errors: ["not_found"],
});

export const demoSignIn = operation({
  name: "demoSignIn",
  method: "POST",
  path: "/v1/demo/sign-in",
  tag: "Demo",
  summary: "Continue as a demo person",
  access: "none",
  body: v.strictObject({ person: text(40) }),
  answer: v.object({ signed_in: v.literal(true) }),
  status: 200,
  writes: true,
  errors: ["not_found"],
});

export const signOut = operation({
  ...person,
  name: "signOut",
  method: "POST",
  path: "/v1/sign-out",
  summary: "End the session",
  answer: v.object({ signed_in: v.literal(false) }),
  status: 200,
  writes: true,
  errors: [],
});

export const qrKeys = operation({
  name: "qrKeys",
  method: "GET",
  path: "/.well-known/cupo-qr-keys.json",
  tag: "QR",
  summary: "Public keys that verify payment codes, also offline",
  access: "none",
  answer: QrKeys,
  status: 200,
  writes: false,
  errors: ["upstream_failed"],
});

/** What the widgets call: kept apart so that a page carries no more. */
export const widgetContract = Object.freeze({ widgetSession });

/** What a merchant's backend calls with its server key. */
export const merchantContract = Object.freeze({ createSession, sessionStatus, cancelSession });

/** What the app calls for the signed-in person. */
export const personContract = Object.freeze({
  createScan,
  openApproval,
  confirmApproval,
  approval,
  me,
  myHistory,
  myReceived,
  createMyQr,
  myQr,
  demoPeople,
  demoSignIn,
  signOut,
  qrKeys,
});

/** Every operation of the broker. */
export const brokerContract = Object.freeze({ ...merchantContract, ...widgetContract, ...personContract });
export type BrokerContract = typeof brokerContract;
