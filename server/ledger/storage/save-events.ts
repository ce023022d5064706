import type { SqlPart, Tx } from "../../database/connect.ts";
import type { LedgerEvent } from "../model/events.ts";

/** Words the body of an event as JSON text, as the API words its answers to that entity. */
export type EventBody = (event: LedgerEvent) => string;

/** Keeps the events that an enabled endpoint of their entity wants, and a delivery to each such endpoint. */
export function saveEvents(tx: Tx, events: readonly LedgerEvent[], eventBody: EventBody): SqlPart[] {
  if (events.length === 0) return [];
  // One statement sees one state of the endpoints: no event is kept that nobody is sent, and none is sent unkept.
  return [
    tx`
      with wanted as (
        select e.*, w.id as endpoint_id
        from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ entityId }) => entityId)}::uuid[],
          ${events.map(({ event }) => event.type)}::text[], ${events.map(eventBody)}::json[],
          ${events.map(({ createdAt }) => createdAt)}::timestamptz[]) as e (id, entity_id, type, body, created_at)
        join service.webhook_endpoints w
          on w.entity_id = e.entity_id and w.disabled_at is null and e.type = any(w.event_types)),
      kept as (
        insert into service.events (id, entity_id, type, body, created_at)
        select distinct on (id) id, entity_id, type, body, created_at from wanted)
      insert into service.webhook_deliveries (endpoint_id, event_id, state, next_attempt_at)
      select endpoint_id, id, 'waiting', created_at from wanted`,
  ];
}
