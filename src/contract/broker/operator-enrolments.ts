import * as v from "valibot";
import { Id, Instant, text } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";

const MUST_NAME_ONE = "must have exactly one of user_id, nit and phone";
const operator = { tag: "Enrolments", access: "operator" } as const;
const byId = { params: v.strictObject({ id: Id }) };

/** An enrolment that an operator made, without its secret and code. */
const OperatorEnrolment = v.object({
  id: Id,
  user_id: Id,
  name: v.string(),
  /** `waiting` for a second operator, `ready`, `used`, `over` (expired, withdrawn, or five wrong codes). */
  state: v.picklist(["waiting", "ready", "used", "over"]),
  delayed: v.boolean(),
  /** The new device replaces all earlier devices of the user. */
  retires_devices: v.boolean(),
  /**
   * How the code is delivered: `backend`, by a message to the entity's endpoint for codes; `operator`, shown once to a
   * second operator; `command_line`, printed where the enrolment was made.
   */
  code_by: v.picklist(["backend", "operator", "command_line"]),
  /** When the endpoint accepted the code, or the second operator was shown it. */
  code_told_at: v.nullable(Instant),
  created_at: Instant,
  expires_at: Instant,
});
/** An invitation to register a passkey, as operators list it: for whom, its state, without its secret. */
export type OperatorEnrolment = v.InferOutput<typeof OperatorEnrolment>;

export const createEnrolment = operation({
  ...operator,
  name: "createEnrolment",
  method: "POST",
  path: "/v1/operator/enrolments",
  summary: "Invite a user to the app: a link for ten minutes; the code goes another way",
  description:
    "For clerks and admins, and users of your own entity: another's is a 404, as one that is not there. The link is " +
    "in this answer alone, and the code is in none: it is sent to the entity's " +
    "endpoint for codes (`npm run operator -- codes`), or shown once to a second operator. Where there is neither, " +
    "nothing is made. A first device pays at once, up to the entity's new-device limit for a day. A user who has a " +
    "device already is told on it and may refuse, and the new one does not pay for a day (or as the entity set it). " +
    "Above the entity's level of quota a second operator has to agree; and so with `retire_devices`, by which all " +
    "earlier devices go as the new one comes. An earlier link of the user ends. Links and " +
    "wrong codes are limited for a day, for each user and for each operator. A copy, by its `Idempotency-Key`, makes " +
    "none, and is not told the link.",
  body: v.pipe(
    v.strictObject({
      user_id: v.optional(Id),
      nit: v.optional(text(40)),
      phone: v.optional(text(40)),
      retire_devices: v.optional(v.boolean()),
    }),
    v.check(({ retire_devices: _, ...key }) => Object.keys(key).length === 1, MUST_NAME_ONE),
  ),
  answer: v.object({ ...OperatorEnrolment.entries, link: v.optional(v.string()) }),
  status: 201,
  writes: true,
  errors: ["not_allowed", "idempotency_key_reused", "user_not_found", "upstream_failed"],
});

export const operatorEnrolments = operation({
  ...operator,
  name: "operatorEnrolments",
  method: "GET",
  path: "/v1/operator/enrolments",
  summary: "The enrolments of the last day, newest first, those that wait for a second operator among them",
  answer: v.array(OperatorEnrolment),
  status: 200,
  writes: false,
  errors: [],
});

export const showEnrolmentCode = operation({
  ...operator,
  ...byId,
  name: "showEnrolmentCode",
  method: "POST",
  path: "/v1/operator/enrolments/:id/code",
  summary: "Be shown the code of an enrolment that another operator made: once",
  description:
    "For clerks and admins, where `code_by` is `operator`. Tell the code to the user yourself, and to nobody who has " +
    "the link. The operator who made the enrolment is never shown its code. A code is shown to nobody a second time.",
  answer: v.object({ ...OperatorEnrolment.entries, code: v.string() }),
  status: 200,
  writes: true,
  errors: ["not_found", "not_allowed", "enrolment_not_found"],
});

export const agreeToEnrolment = operation({
  ...operator,
  ...byId,
  name: "agreeToEnrolment",
  method: "POST",
  path: "/v1/operator/enrolments/:id/agree",
  summary: "Agree, as a second operator, that a user is enrolled",
  answer: OperatorEnrolment,
  status: 200,
  writes: true,
  errors: ["not_found", "not_allowed", "enrolment_not_found"],
});

export const withdrawEnrolment = operation({
  ...operator,
  ...byId,
  name: "withdrawEnrolment",
  method: "POST",
  path: "/v1/operator/enrolments/:id/withdraw",
  summary: "End an enrolment's link before it is used",
  answer: OperatorEnrolment,
  status: 200,
  writes: true,
  errors: ["not_found", "not_allowed"],
});
