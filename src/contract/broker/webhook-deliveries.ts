import * as v from "valibot";
import { Id, Instant, pageFields } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { MerchantEventType } from "./merchant-events.ts";

const merchant = { tag: "Webhooks", access: "merchant" } as const;
const DeliveryState = v.picklist(["waiting", "delivered", "failed"]);

/** One event for a merchant's webhook, and its delivery. */
export const MerchantDelivery = v.object({
  /** The `webhook-id` that the receiver saw. */
  event_id: Id,
  event_type: MerchantEventType,
  session_id: Id,
  state: DeliveryState,
  attempts: v.number(),
  created_at: Instant,
  /** While it waits. */
  next_attempt_at: v.optional(Instant),
  last_attempt_at: v.optional(Instant),
  /** The receiver's answer to the latest attempt. */
  last_status: v.optional(v.number()),
  /** Why the latest attempt was no success. */
  last_error: v.optional(v.string()),
  delivered_at: v.optional(Instant),
});
export type MerchantDelivery = v.InferOutput<typeof MerchantDelivery>;

export const webhookDeliveries = operation({
  ...merchant,
  name: "webhookDeliveries",
  method: "GET",
  path: "/v1/webhook-deliveries",
  summary: "What was sent to the merchant's webhook, what waits and what failed",
  description:
    "Newest event first. `waiting` is sent or tried again at `next_attempt_at`, `delivered` was accepted, `failed` " +
    "was given up after 72 hours.",
  query: v.strictObject({ state: v.optional(DeliveryState), ...pageFields }),
  answer: v.array(MerchantDelivery),
  status: 200,
  writes: false,
  errors: ["not_found", "invalid_cursor"],
});

export const redeliverWebhook = operation({
  ...merchant,
  name: "redeliverWebhook",
  method: "POST",
  path: "/v1/webhook-deliveries/:event_id/redeliver",
  summary: "Send an event to the merchant's webhook again",
  description:
    "Whatever became of it before: it is sent again at once with the same `webhook-id`, and tried for another 72 " +
    "hours. The text of an event is kept 30 days. Counts as one of the minute's sessions.",
  params: v.strictObject({ event_id: Id }),
  answer: MerchantDelivery,
  status: 200,
  writes: true,
  errors: ["not_found"],
});
