import type { Tx } from "../../database/connect.ts";
import type { LedgerEvent } from "../model/events.ts";
import { recordset } from "./recordset.ts";

/** Words the body of an event as JSON text, as the API words its answers to that entity. */
export type EventBody = (event: LedgerEvent) => string;

/** Keeps the events that an enabled endpoint of their entity wants, and a delivery to each such endpoint. */
export function saveEvents(tx: Tx, events: readonly LedgerEvent[], eventBody: EventBody): Promise<unknown>[] {
  if (events.length === 0) return [];
  const rows = events.map((ledgerEvent) => {
    const { id, entityId, event, createdAt } = ledgerEvent;
    return { id, entity_id: entityId, type: event.type, body: eventBody(ledgerEvent), created_at: createdAt };
  });
  // One statement sees one state of the endpoints: no event is kept that nobody is sent, and none is sent unkept.
  return [
    tx`
      with wanted as (
        select e.*, w.id as endpoint_id
        from json_populate_recordset(null::service.events, ${recordset(rows)}::text::json) e
        join service.webhook_endpoints w
          on w.entity_id = e.entity_id and w.disabled_at is null and e.type = any(w.event_types)),
      kept as (
        insert into service.events (id, entity_id, type, body, created_at)
        select distinct on (id) id, entity_id, type, (body #>> '{}')::json, created_at from wanted)
      insert into service.webhook_deliveries (endpoint_id, event_id, state, next_attempt_at)
      select endpoint_id, id, 'waiting', created_at from wanted`,
  ];
}
