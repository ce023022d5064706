import type {
  DeliveryError,
  DeliveryState,
  EventType,
  WebhookDelivery,
} from "../../../src/contract/service/webhooks.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Sql, Tx } from "../../database/connect.ts";

/** A delivery of an event to a webhook as the database has it, with the event's id, type and time. */
export interface DeliveryRecord {
  readonly eventId: string;
  readonly eventType: string;
  readonly createdAt: Date;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  readonly lastAttemptAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly deliveredAt: Date | null;
}

/** Builds the SQL of the columns of a delivery `d` and its event `e`, named as {@link DeliveryRecord} names them. */
export function deliveryColumns(sql: Sql | Tx) {
  return sql`
    d.event_id as "eventId", e.type as "eventType", e.created_at as "createdAt", d.state, d.attempts,
    d.next_attempt_at as "nextAttemptAt", d.last_attempt_at as "lastAttemptAt", d.last_status as "lastStatus",
    d.last_error as "lastError", d.delivered_at as "deliveredAt"`;
}

/** Builds the answer of a delivery of a webhook. */
export function deliveryAnswer(record: DeliveryRecord, endpointName: string): WebhookDelivery {
  const { state, lastAttemptAt, lastStatus, lastError, deliveredAt } = record;
  return {
    event_id: record.eventId,
    endpoint_name: endpointName,
    event_type: record.eventType as EventType,
    state,
    attempts: record.attempts,
    created_at: record.createdAt.toISOString(),
    ...(state === "waiting" ? { next_attempt_at: record.nextAttemptAt.toISOString() } : {}),
    ...(lastAttemptAt === null ? {} : { last_attempt_at: lastAttemptAt.toISOString() }),
    ...(lastStatus === null ? {} : { last_status: lastStatus }),
    ...(lastError === null ? {} : { last_error: lastError as DeliveryError }),
    ...(deliveredAt === null ? {} : { delivered_at: deliveredAt.toISOString() }),
  };
}

/** Builds the refusal of a name that none of the caller's webhooks has. */
export function noSuchWebhook(): ApiError {
  return new ApiError("webhook_not_found", { detail: "No webhook of yours has that name." });
}
