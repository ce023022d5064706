import * as v from "valibot";
import { Id, Instant, pageFields, text } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";

/** Every type of event that a webhook may receive. */
export const EVENT_TYPES = Object.freeze([
  "transaction.created",
  "transaction.settled",
  "transaction.rejected",
  "transaction.reversed",
  "qr.paid",
  "qr.expired",
  "qr.cancelled",
  "ledger.transfer",
  "quota.added",
  "quota.discharged",
  "credit.repaid",
  "credit.written_off",
  "credit.cancelled",
  "user.created",
  "user.updated",
  "user.blocked",
  "counterparty.limit_near",
  "counterparty.settled",
] as const);

/** The type of an event. */
export const EventType = v.picklist(EVENT_TYPES);
export type EventType = v.InferOutput<typeof EventType>;

const URL_LENGTH = 2_048;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The name that an entity gives one of its webhooks. */
const WebhookName = v.pipe(
  v.string(),
  v.regex(NAME, "must be at most 64 letters, digits, hyphens and underscores, and begin with a letter or digit"),
  v.metadata({ examples: ["orders"] }),
);

/** A webhook without its secret. */
export const Webhook = v.object({
  name: WebhookName,
  url: v.string(),
  event_types: v.array(EventType),
  enabled: v.boolean(),
  created_at: Instant,
  disabled_at: v.optional(Instant),
  disabled_reason: v.optional(v.picklist(["requested", "gone"])),
  previous_secret_until: v.optional(Instant),
});
export type Webhook = v.InferOutput<typeof Webhook>;

/** A webhook, with the secret that was made for it just now. */
const WebhookWithSecret = v.object({ ...Webhook.entries, secret: v.optional(v.string()) });

/** The state of a delivery. */
export const DeliveryState = v.picklist(["waiting", "delivered", "failed"]);
export type DeliveryState = v.InferOutput<typeof DeliveryState>;

/** The cause of a delivery's latest failed attempt; `not_signed`: its secret cannot be decrypted with the given key. */
export const DeliveryError = v.picklist([
  "not_signed",
  "timed_out",
  "not_resolved",
  "address_refused",
  "not_connected",
  "tls_failed",
  "redirected",
  "gone",
  "refused",
]);
export type DeliveryError = v.InferOutput<typeof DeliveryError>;

/** One event for one webhook, and its delivery. */
export const WebhookDelivery = v.object({
  event_id: Id,
  endpoint_name: WebhookName,
  event_type: EventType,
  state: DeliveryState,
  attempts: v.pipe(v.number(), v.integer(), v.minValue(0)),
  created_at: Instant,
  next_attempt_at: v.optional(Instant),
  last_attempt_at: v.optional(Instant),
  last_status: v.optional(v.number()),
  last_error: v.optional(DeliveryError),
  delivered_at: v.optional(Instant),
});
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;

export const putWebhook = operation({
  name: "putWebhook",
  method: "PUT",
  path: "/webhooks/:name",
  tag: "Webhooks",
  summary: "Have events sent to an address, or change what is sent where",
  description:
    "Extension (Standard Webhooks). Makes the webhook of that name or replaces its settings. From then on every " +
    "event of the calling entity that is among `event_types` (absent: all that there are) is posted to `url` as " +
    "`{type, timestamp, data}`, where `data` is what the API would answer the entity at that moment: the " +
    "transaction, payment code, transfer, credit (without `user`) or user (without balance and history); of " +
    "`quota.…` and `credit.repaid` what was moved, as numbers. A payment that settles at once is told as " +
    "`transaction.created` with its status; `transaction.settled` and `.rejected` tell of holds. An event concerns " +
    "the entity that made it and the creators of payer and payee. `webhook-id` is the same in every attempt; answer " +
    "any 2xx within 10 seconds to accept it, and treat an id that you know as accepted. The order is not promised. " +
    "Anything else is tried again with growing pauses for 72 hours; redirects are not followed; 410 disables the " +
    "webhook (`disabled_reason: gone`). `url` is https, without credentials, and neither is nor resolves to an " +
    "address of a private network unless the operator of the service allows that network. `secret` (`whsec_…`) is " +
    "in the answer only when it was made by this request: for a new webhook, and with `rotate_secret: true`. After " +
    "a rotation the secret before it signs too for 24 hours, so that `webhook-signature` carries two. " +
    "`enabled: false` stops it: what happens meanwhile is not kept for it, what waits goes out when it is enabled " +
    "again. A webhook disabled for 30 days is removed; an entity has at most 20. PUT is the same once or twice (but " +
    "for `rotate_secret: true`, which makes a secret each time), so it takes no Idempotency-Key.",
  access: "bearer",
  scope: "administration",
  params: v.strictObject({ name: WebhookName }),
  body: v.strictObject({
    url: text(URL_LENGTH),
    event_types: v.optional(
      v.pipe(
        v.array(EventType),
        v.minLength(1, "must name at least one type of event, or be left out for all"),
        v.check((types) => new Set(types).size === types.length, "must name each type of event once"),
      ),
    ),
    enabled: v.optional(v.boolean()),
    rotate_secret: v.optional(v.boolean()),
  }),
  responseOnly: ["name", "secret", "created_at", "disabled_at", "disabled_reason", "previous_secret_until"],
  answer: WebhookWithSecret,
  status: 200,
  writes: true,
  errors: ["not_found", "webhook_limit"],
});

export const webhooks = operation({
  name: "webhooks",
  method: "GET",
  path: "/webhooks",
  tag: "Webhooks",
  summary: "List the webhooks of the calling entity",
  description: "Extension. Newest first, disabled ones too; never with a secret.",
  access: "bearer",
  scope: "read",
  query: v.strictObject(pageFields),
  answer: v.array(Webhook),
  status: 200,
  writes: false,
  errors: ["invalid_cursor"],
});

export const webhookDeliveries = operation({
  name: "webhookDeliveries",
  method: "GET",
  path: "/webhook-deliveries",
  tag: "Webhooks",
  summary: "What was sent to a webhook, what waits and what failed",
  description:
    "Extension. One webhook's deliveries, newest event first. `event_id` is what the receiver saw as `webhook-id`. " +
    "`waiting` is sent or tried again at `next_attempt_at`, `delivered` was accepted, `failed` was given up after " +
    "72 hours. `last_error` says why the latest attempt was no success; `refused` goes with `last_status`. Kept 30 " +
    "days.",
  access: "bearer",
  scope: "read",
  query: v.strictObject({ "endpoint-name": WebhookName, state: v.optional(DeliveryState), ...pageFields }),
  answer: v.array(WebhookDelivery),
  status: 200,
  writes: false,
  errors: ["invalid_cursor", "webhook_not_found"],
});

export const redeliverWebhook = operation({
  name: "redeliverWebhook",
  method: "POST",
  path: "/redeliver-webhook",
  tag: "Webhooks",
  summary: "Send an event to a webhook again",
  description:
    "Extension. Whatever became of it before: it is sent again at once with the same `webhook-id`, and tried for " +
    "another 72 hours. One that waits for its next attempt is sent now.",
  access: "bearer",
  scope: "administration",
  body: v.strictObject({ endpoint_name: WebhookName, event_id: Id }),
  responseOnly: ["state", "attempts"],
  answer: WebhookDelivery,
  status: 200,
  writes: true,
  errors: ["webhook_not_found", "webhook_disabled", "webhook_delivery_not_found"],
});

/**
 * The fields that the broker reads of an event about a payment code, its payment or a refund: its type and the
 * reference of the code or payment. The broker then reads the code from the service.
 */
export const QrEvent = v.variant("type", [
  v.object({
    type: v.picklist(["qr.paid", "qr.expired", "qr.cancelled", "transaction.reversed"]),
    data: v.object({ reference: v.string() }),
  }),
  v.object({
    type: v.picklist(["transaction.created", "transaction.settled"]),
    data: v.object({ kind: v.literal("qr"), status: v.literal("approved"), reference: v.string() }),
  }),
]);

const moved = { id: Id, status: v.string(), from_user_id: Id, to_user_id: Id };

/**
 * The fields that the broker reads of an event about money: its type and the users concerned, whom it notifies, and of
 * a payment or transfer the id and status.
 */
export const MoneyEvent = v.variant("type", [
  v.object({
    type: v.picklist(["transaction.created", "transaction.settled", "transaction.rejected", "transaction.reversed"]),
    data: v.object(moved),
  }),
  v.object({ type: v.literal("ledger.transfer"), data: v.object(moved) }),
  v.object({ type: v.picklist(["quota.added", "quota.discharged"]), data: v.object({ user_id: Id }) }),
]);
export type MoneyEvent = v.InferOutput<typeof MoneyEvent>;
