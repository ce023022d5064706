import * as v from "valibot";
import { Instant, Sum } from "./fields.ts";

/**
 * The names of all limits that a spending can exceed. The service enforces those of an entity; the broker those of a
 * person, of a new payee and of a new device, of a till and its session, and of a merchant's refunds.
 */
export const LimitName = v.picklist([
  "payment_limit",
  "daily_limit",
  "transfer_limit",
  "personal_payment_limit",
  "personal_daily_limit",
  "first_payee_limit",
  "new_device_limit",
  "sale_limit",
  "session_limit",
  "refund_limit",
]);
export type LimitName = v.InferOutput<typeof LimitName>;

/** The limit that a spending exceeded, in currency units: one shape for rejections, problems, elements and the app. */
export const ExceededLimit = v.object({
  name: LimitName,
  /** Most that it allows. */
  amount: Sum,
  /** How much of it is left. */
  left: Sum,
  /** When more of it becomes available; null where that never changes by itself. */
  until: v.nullable(Instant),
});
export type ExceededLimit = v.InferOutput<typeof ExceededLimit>;
