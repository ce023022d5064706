import * as v from "valibot";
import {
  Amount,
  DayInput,
  Details,
  Id,
  Instant,
  label,
  pageFields,
  ReferenceInput,
  Sum,
  text,
} from "../shared/fields.ts";
import { name } from "../shared/names.ts";
import { operation } from "../shared/operation.ts";
import { SessionKind, SessionState, WidgetSession } from "./broker-answers.ts";
import { sessionDetails } from "./merchant-events.ts";
import { MerchantAddress, MerchantOrigin } from "./merchant-origin.ts";

const merchant = { tag: "Merchants", access: "merchant" } as const;
const sessionId = { params: v.strictObject({ session_id: Id }) };
const unpaidQr = ["qr_not_found", "qr_already_paid", "qr_expired", "upstream_failed"] as const;

const SessionStatus = v.object({
  session_id: Id,
  kind: SessionKind,
  /** `open`: a session of kind recharge or quota that is neither over nor cancelled. */
  state: v.picklist([...SessionState.options, "open"]),
  created_at: Instant,
  expires_at: Instant,
  transaction_id: v.optional(Id),
  reference: v.optional(v.string()),
  amount: v.optional(Sum),
  currency: v.string(),
  order: v.optional(v.string()),
  return_url: v.optional(v.string()),
  paid_at: v.optional(Instant),
  /** How much of the payment was given back so far. */
  refunded_amount: v.optional(Sum),
  ...sessionDetails,
});

export const createSession = operation({
  ...merchant,
  name: "createSession",
  method: "POST",
  path: "/v1/sessions",
  summary: "Start a widget session: for `pay`, makes the QR",
  description:
    "`pay` takes `amount`, and `order`, `details`, `expires_in`, `return_url`; with `order`, asking again while the " +
    "session is payable or paid gives the same session, and with other data it is refused, unless `replace` ends " +
    "the order's unpaid session and makes the new one: never two codes to pay. " +
    "`recharge`, for merchants that an operator lets sell top-ups, takes " +
    "`max_amount` (most of one top-up), `max_total` (most of all that the session sells), at least one of the two, " +
    "and `till`; it lasts 15 minutes and is renewed by starting another. `quota` takes `user` from a first-party " +
    "merchant or one that the user granted it, or a `grant`; it lasts 15 minutes, and the answer names the grant " +
    "that it came of. Give `user` only where your backend knows who sits before the page. " +
    "A page with the publishable key starts `pay` sessions only, for itself, up to the merchant's limit, without " +
    "`order`, 30 a minute from one address. An `Idempotency-Key` that a page sends does nothing, for all visitors " +
    "share the publishable key: each of its requests starts a session. A merchant starts 1 200 sessions a minute, of " +
    "which one that lasts for hours counts once for each of them.",
  body: v.strictObject({
    kind: SessionKind,
    amount: v.optional(Amount),
    order: v.optional(label(120)),
    replace: v.optional(v.boolean()),
    details: v.optional(Details),
    expires_in: v.optional(
      v.pipe(
        v.number(),
        v.integer("must be whole seconds"),
        v.minValue(30, "must be at least 30"),
        v.maxValue(86_400, "must be at most 86400"),
      ),
    ),
    origin: MerchantOrigin,
    return_url: v.optional(
      v.pipe(
        MerchantAddress,
        v.description(
          "A page of the shop, on an origin that the merchant listed, with the server key only. The app offers the " +
            "payer the way back there, with `session_id` and `state` (`paid`, `cancelled`, `expired`) added to its " +
            "query. Anybody can open such an address: ask GET /v1/sessions/{session_id} what is true.",
        ),
      ),
    ),
    max_amount: v.optional(Amount),
    max_total: v.optional(Amount),
    till: v.optional(name(40)),
    user: v.optional(Id),
    grant: v.optional(
      v.pipe(
        text(100),
        v.description(
          "A grant's id, or the code that the user's browser brought back from the app: it works once, for five " +
            "minutes, with this merchant's server key. Keep the `grant` of the answer, and send that from then on.",
        ),
      ),
    ),
  }),
  answer: v.object({
    session: v.string(),
    session_id: Id,
    /** Of kind pay only. */
    reference: v.optional(v.string()),
    grant: v.optional(v.pipe(Id, v.description("The id of the grant that a session of kind quota came of."))),
    expires_at: Instant,
    expires_in: v.number(),
  }),
  status: 201,
  writes: true,
  errors: [
    "not_allowed",
    "account_frozen",
    "idempotency_key_reused",
    "qr_already_paid",
    "amount_too_large_for_qr",
    "upstream_failed",
  ],
});

export const sessionStatus = operation({
  ...merchant,
  ...sessionId,
  name: "sessionStatus",
  method: "GET",
  path: "/v1/sessions/:session_id",
  summary: "Whether a session was paid: how a shop's backend knows for certain",
  description: "Deliver goods on this answer or on the webhook `payment.paid`, never on the page's event.",
  answer: SessionStatus,
  status: 200,
  writes: false,
  errors: ["not_found", "upstream_failed"],
});

export const sessions = operation({
  ...merchant,
  name: "sessions",
  method: "GET",
  path: "/v1/sessions",
  summary: "The merchant's payment sessions, newest first",
  description:
    "By `order`, `reference`, business `day` of their start, and `state`. With `state` a page may have fewer than " +
    "`limit`, or none: the list goes on while there is a next page. `paid_at` and `refunded_amount` are in " +
    "GET /v1/payments and in the session itself. Unpaid sessions are forgotten 91 days after they expired.",
  query: v.strictObject({
    order: v.optional(label(120)),
    reference: v.optional(ReferenceInput),
    day: v.optional(DayInput),
    state: v.optional(SessionState),
    ...pageFields,
  }),
  answer: v.array(SessionStatus),
  status: 200,
  writes: false,
  errors: ["not_found", "invalid_cursor", "upstream_failed"],
});

export const cancelSession = operation({
  ...merchant,
  ...sessionId,
  name: "cancelSession",
  method: "POST",
  path: "/v1/sessions/:session_id/cancel",
  summary: "Withdraw an unpaid session, or end one of kind recharge or quota",
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
  summary: "What the widget shows, and where the payment stands, by the kind of the session",
  access: "widget",
  answer: WidgetSession,
  status: 200,
  writes: false,
  errors: ["upstream_failed"],
});
