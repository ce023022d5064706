import * as v from "valibot";
import { Id, Instant } from "../shared/fields.ts";

/**
 * The message that the broker sends to the entity's endpoint for codes, signed as Standard Webhooks asks: text or mail
 * `code` to that user, and to nobody else.
 */
export const EnrolmentCodeEvent = v.object({
  type: v.literal("enrolment.code"),
  /** When the enrolment was made, which the attempts do not change. */
  timestamp: Instant,
  data: v.object({
    enrolment_id: Id,
    /** The user of the service that the code is for. */
    user_id: Id,
    code: v.string(),
    /** The code is worth nothing from then on. */
    expires_at: Instant,
  }),
});
export type EnrolmentCodeEvent = v.InferOutput<typeof EnrolmentCodeEvent>;
