import * as v from "valibot";
import { Amount, DayInput, pageFields, text } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { Recharge } from "./broker-answers.ts";

export const lookUp = operation({
  name: "lookUp",
  method: "POST",
  path: "/v1/look-ups",
  tag: "Look-ups",
  summary: "Find one person by the exact phone or nit",
  description:
    "The answer is a name, to be compared with what the person says, and a handle for five minutes; never an id. The " +
    "name is a first name and initials; it is whole for a business, and for somebody who has paid the person who " +
    "asks. Ten look-ups a minute, and sixty a day that lead to no sale. Finding nobody takes as long as finding one. " +
    "Whoever finds themselves is told so, and so is a till that finds the user that it sells from.",
  access: "finder",
  body: v.pipe(
    v.strictObject({ phone: v.optional(text(40)), nit: v.optional(text(40)) }),
    v.check((body) => Object.keys(body).length === 1, "must have exactly one of phone and nit"),
  ),
  answer: v.object({ handle: v.string(), name: v.string(), expires_in: v.number() }),
  status: 200,
  writes: true,
  errors: ["user_not_found", "not_allowed", "upstream_failed"],
});

export const createRecharge = operation({
  name: "createRecharge",
  method: "POST",
  path: "/v1/recharges",
  tag: "Recharges",
  summary: "Sell one top-up, from the merchant's own user to the person that was looked up",
  description:
    "Needs an `Idempotency-Key`, one for each sale: asking again with it, also after an answer that never came or " +
    "with a session of another till of the merchant, tells the outcome and never sells twice. `look_up_expired`, " +
    "`limit_exceeded` and `not_allowed` because of the receiver use the key up: it never sells afterwards.",
  access: "till",
  body: v.strictObject({ handle: text(100), amount: Amount }),
  answer: Recharge,
  status: 201,
  writes: true,
  errors: [
    ...(["idempotency_key_reused", "not_found", "look_up_expired", "not_allowed", "limit_exceeded"] as const),
    "upstream_failed",
  ],
});

export const recharges = operation({
  name: "recharges",
  method: "GET",
  path: "/v1/recharges",
  tag: "Recharges",
  summary: "The top-ups of one business day, newest first",
  description:
    "A till is shown its own of today. A merchant's backend may ask for another `day`, and for one `till` of several.",
  access: "seller",
  query: v.strictObject({ day: v.optional(DayInput), till: v.optional(text(40)), ...pageFields }),
  answer: v.array(Recharge),
  status: 200,
  writes: false,
  errors: ["not_allowed", "invalid_cursor"],
});
