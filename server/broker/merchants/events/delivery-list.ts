import type { MerchantDelivery } from "../../../../src/contract/broker/webhook-deliveries.ts";
import type { Sql, Tx } from "../../../database/connect.ts";
import type { PagePart } from "../../../shared/page.ts";
import { toInstant } from "../../access/broker-context.ts";

/** An event of a merchant with its delivery, as it is stored. */
export interface DeliveryRow {
  readonly id: string;
  readonly type: MerchantDelivery["event_type"];
  readonly session_id: string;
  readonly state: MerchantDelivery["state"];
  readonly attempts: number;
  readonly created_at: Date;
  readonly next_attempt_at: Date;
  readonly last_attempt_at: Date | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly delivered_at: Date | null;
}

function columns(sql: Sql | Tx) {
  return sql`id, type, session_id, state, attempts, created_at, next_attempt_at, last_attempt_at, last_status,
    last_error, delivered_at`;
}

/** Lists a page of a merchant's events with their deliveries, newest first. */
export function listDeliveries(
  sql: Sql,
  { merchantId, state }: { readonly merchantId: string; readonly state: DeliveryRow["state"] | undefined },
  { limit, before }: PagePart,
): Promise<readonly DeliveryRow[]> {
  return sql<DeliveryRow[]>`
    select ${columns(sql)} from broker.merchant_events
    where merchant_id = ${merchantId} ${state === undefined ? sql`` : sql`and state = ${state}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`;
}

/**
 * Makes a merchant's event due now, and returns it; undefined where there is none, or its text is forgotten. One that
 * is being sent at this moment is left to the process that sends it.
 */
export async function redeliver(
  tx: Tx,
  merchantId: string,
  eventId: string,
  now: Date,
): Promise<DeliveryRow | undefined> {
  await tx`
    update broker.merchant_events
    set state = 'waiting', next_attempt_at = ${now}, first_attempt_at = null, delivered_at = null
    where id = ${eventId} and merchant_id = ${merchantId} and body is not null
      and (leased_until is null or leased_until <= ${now})`;
  const [row] = await tx<DeliveryRow[]>`
    select ${columns(tx)} from broker.merchant_events
    where id = ${eventId} and merchant_id = ${merchantId} and body is not null`;
  return row;
}

/** Answers an event of a merchant with its delivery. */
export function deliveryAnswer(row: DeliveryRow): MerchantDelivery {
  const { state, last_attempt_at: lastAttemptAt, last_status, last_error, delivered_at: deliveredAt } = row;
  return {
    ...{ event_id: row.id, event_type: row.type, session_id: row.session_id, state, attempts: row.attempts },
    created_at: toInstant(row.created_at),
    ...(state === "waiting" ? { next_attempt_at: toInstant(row.next_attempt_at) } : {}),
    ...(lastAttemptAt === null ? {} : { last_attempt_at: toInstant(lastAttemptAt) }),
    ...(last_status === null ? {} : { last_status }),
    ...(last_error === null ? {} : { last_error }),
    ...(deliveredAt === null ? {} : { delivered_at: toInstant(deliveredAt) }),
  };
}
