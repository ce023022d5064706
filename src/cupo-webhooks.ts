import { Webhook } from "standardwebhooks";
import { EnrolmentCodeEvent } from "./contract/broker/enrolment-code-event.ts";
import { MerchantEvent } from "./contract/broker/merchant-events.ts";
import { type EventData, eventData, eventMessage } from "./contract/service/event-data.ts";
import type { EventType } from "./contract/service/webhooks.ts";
import { fits } from "./contract/shared/validate.ts";
import { quoteRounded } from "./exact-json.ts";

/** An event that the service sends to a fintech, by `type`. */
export type ServiceEvent = {
  [T in EventType]: { readonly type: T; readonly timestamp: string; readonly data: EventData<T> };
}[EventType];

type WithId<E> = E extends unknown ? E & { readonly id: string } : never;

/** A verified message; `id` is its `webhook-id`, the same for every attempt to deliver it. */
export type WebhookEvent = WithId<ServiceEvent | MerchantEvent | EnrolmentCodeEvent>;

/** Why a message was refused. Answer 400, or 2xx for `unknown_event` and `inexact_sum`, which were authentic. */
export type WebhookFault =
  /** One of the three headers `webhook-id`, `webhook-timestamp`, `webhook-signature` is not there. */
  | "missing_header"
  /** None of the secrets signed it. Was the body parsed and written anew? It must be what came over the network. */
  | "bad_signature"
  /** It was sent longer ago than is allowed, or the two clocks differ by as much: perhaps a replay. */
  | "too_old"
  /** As `too_old`, in the future. */
  | "too_new"
  | "not_json"
  /** A type of event, or a form of its data, that this version of the package does not know. */
  | "unknown_event"
  /** It has a sum that a JavaScript number would round; the exact digits are in its text. */
  | "inexact_sum";

/** Error of {@link verifyWebhook} for a message that it refuses; `code` is the reason. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The headers of a request, as `fetch` or as Node's `http` has them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Input of {@link verifyWebhook}: the body and headers of the request, and the secrets, clock and tolerance to check
 * them by.
 */
export interface WebhookRequest {
  /** Exactly as it came: the text or the bytes, before any JSON parser. */
  readonly body: string | Uint8Array;
  readonly headers: WebhookHeaders;
  /** `whsec_…`; while a secret is being rotated, the new one and the one before it. */
  readonly secrets: string | readonly string[];
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
  /** How far `webhook-timestamp` may be from now. Default: 300 s. */
  readonly toleranceSeconds?: number;
}

const TOLERANCE_SECONDS = 300;

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === "function" ? headers.get(name) : Reflect.get(headers, name);
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookError("missing_header", `the header ${name} is missing`);
}

/** Compares in constant time: as long for a wrong signature as for the right one. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

function isSigned(text: string, secret: string, headers: WebhookHeaders): boolean {
  const timestamp = headerOf(headers, "webhook-timestamp");
  const seconds = Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  const expected = new Webhook(secret).sign(headerOf(headers, "webhook-id"), new Date(seconds * 1000), text);
  return headerOf(headers, "webhook-signature")
    .split(" ")
    .some((signature) => isSame(signature, expected));
}

function checkTime(headers: WebhookHeaders, { now = Date.now, toleranceSeconds = TOLERANCE_SECONDS }: WebhookRequest) {
  const ageSeconds = now() / 1000 - Number(headerOf(headers, "webhook-timestamp"));
  if (ageSeconds > toleranceSeconds) throw new WebhookError("too_old", "the message was sent too long ago");
  if (ageSeconds < -toleranceSeconds) throw new WebhookError("too_new", "the message comes from the future");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WebhookError("not_json", "the body is not JSON", cause);
  }
}

function isServiceEvent(event: unknown): event is ServiceEvent {
  const type: unknown = Reflect.get(Object(event), "type");
  return typeof type === "string" && Object.hasOwn(eventData, type) && fits(eventMessage(type as EventType), event);
}

function isKnownEvent(event: unknown): event is ServiceEvent | MerchantEvent | EnrolmentCodeEvent {
  return isServiceEvent(event) || fits(MerchantEvent, event) || fits(EnrolmentCodeEvent, event);
}

/**
 * Checks that a message comes from Cupo, as Standard Webhooks says, and returns its event; throws {@link WebhookError}.
 * For a fintech's webhook (`transaction.*`, `qr.*`, …), for a merchant's (`payment.*`), and for the endpoint that
 * receives codes (`enrolment.code`).
 *
 * A message may come more than once, and all its attempts have one `id`: keep the ids for thirty days, for so long can
 * a message be sent again; apply no event of a known id a second time, and answer 2xx to it. Within the tolerance an
 * eavesdropper could replay a message, too.
 */
export function verifyWebhook(request: WebhookRequest): WebhookEvent {
  const { body, headers } = request;
  const secrets = typeof request.secrets === "string" ? [request.secrets] : request.secrets;
  if (secrets.length === 0) throw new TypeError("verifyWebhook needs at least one secret");
  const text = typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const id = headerOf(headers, "webhook-id");
  if (!secrets.some((secret) => isSigned(text, secret, headers))) {
    throw new WebhookError("bad_signature", "none of the secrets signed this message");
  }
  checkTime(headers, request);
  const event = parse(text);
  if (!isKnownEvent(event)) {
    throw new WebhookError("unknown_event", "the message tells of an event that this version does not know");
  }
  if (isKnownEvent(parse(quoteRounded(text)))) return { ...event, id };
  throw new WebhookError("inexact_sum", "the message has a sum that no JavaScript number holds: read it from its text");
}

export type { EventType } from "./contract/service/webhooks.ts";
export type { EnrolmentCodeEvent, EventData, MerchantEvent };
