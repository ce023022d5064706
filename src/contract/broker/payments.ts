import * as v from "valibot";
import { DayInput, Id, Instant, label, ReferenceInput, Sum, syncErrors, syncFields } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { sessionDetails } from "./merchant-events.ts";

const PaymentState = v.picklist(["paid", "refunded"]);

/** A payment by which a merchant's session was paid. */
export const Payment = v.object({
  id: Id,
  session_id: Id,
  order: v.optional(v.string()),
  reference: v.string(),
  /** `refunded`: all of it was given back; `paid` also where a part was. */
  state: PaymentState,
  amount: Sum,
  currency: v.string(),
  paid_at: Instant,
  /** How much of it was given back so far. */
  refunded_amount: v.optional(Sum),
  ...sessionDetails,
});
export type Payment = v.InferOutput<typeof Payment>;

export const payments = operation({
  name: "payments",
  method: "GET",
  path: "/v1/payments",
  tag: "Payments",
  summary: "The payments of the merchant's sessions, newest first",
  description:
    "By `order`, `reference`, business `day` on which they were paid, and `state`. A page may have fewer than " +
    "`limit`, or none: the list goes on while there is a next page. With `changed-since` it is what was paid or " +
    "given back since, oldest change first, each payment as it is now; a payment may come again. `order` and " +
    "`reference` find at most a hundred sessions, on one page without a token.",
  access: "merchant",
  query: v.pipe(
    v.strictObject({
      order: v.optional(label(120)),
      reference: v.optional(ReferenceInput),
      day: v.optional(DayInput),
      state: v.optional(PaymentState),
      ...syncFields,
    }),
    v.check(
      ({ order, reference, cursor, "changed-since": since }) =>
        (order === undefined && reference === undefined) || (cursor === undefined && since === undefined),
      "must have neither cursor nor changed-since with order or reference",
    ),
  ),
  answer: v.array(Payment),
  status: 200,
  writes: false,
  errors: ["not_found", ...syncErrors, "upstream_failed"],
});
