import type { Sql, SqlPart, Tx } from "../database/connect.ts";
import { type Claim, type ClaimRequest, type DeliveryStore, LEASE_MS, type Recorded } from "./delivery-store.ts";

/** A table of deliveries `d`, which wait until they are delivered or given up. */
interface DeliveryTable {
  readonly name: "service.webhook_deliveries" | "broker.merchant_events";
  /** The columns of a delivery's endpoint and event. */
  readonly endpointId: "endpoint_id" | "merchant_id";
  readonly eventId: "event_id" | "id";
  /** The table that has the body of each event, by its id. */
  readonly bodies: "service.events" | "broker.merchant_events";
}

/** Builds the SQL condition that a delivery is due for an attempt and leased by no process. */
export function isDue(sql: Tx, now: Date): SqlPart {
  return sql`(state = 'waiting' and next_attempt_at <= ${now} and (leased_until is null or leased_until <= ${now}))`;
}

/** Builds the function of a {@link DeliveryStore} that records outcomes in a table and claims deliveries. */
export function deliveriesIn(sql: Sql, table: DeliveryTable): Pick<DeliveryStore, "exchange"> {
  const [name, endpointColumn, eventColumn] = [sql(table.name), sql(table.endpointId), sql(table.eventId)];
  const claim = (tx: Tx, { endpointId, most, underWay }: ClaimRequest, now: Date) => tx<Claim[]>`
    with due as materialized (
      select ${eventColumn} as id from ${name}
      where ${endpointColumn} = ${endpointId} and ${isDue(sql, now)}
        and ${eventColumn} <> all(${[...underWay]}::uuid[])
      order by next_attempt_at, ${eventColumn} limit ${most} for update skip locked)
    update ${name} d set attempts = d.attempts + 1, last_attempt_at = ${now},
      leased_until = ${new Date(now.getTime() + LEASE_MS)}, first_attempt_at = coalesce(d.first_attempt_at, ${now})
    from due join ${sql(table.bodies)} e on e.id = due.id
    where d.${endpointColumn} = ${endpointId} and d.${eventColumn} = due.id
    returning d.${endpointColumn} as "endpointId", e.id as "eventId", d.attempts,
      d.first_attempt_at as "firstAttemptAt", e.body`;
  // Found by its key, one at a time. The index of what waits would offer itself for a set of outcomes, and for the
  // condition that it waits, and all that waits would be read.
  const record = (tx: Tx, { endpointId, eventId, attempts, state, nextAttemptAt, status, error, at }: Recorded) => tx`
    update ${name} set state = ${state}, next_attempt_at = ${nextAttemptAt}, leased_until = null,
      last_status = ${status}, last_error = ${error},
      delivered_at = coalesce(${state === "delivered" ? at : null}, delivered_at)
    where ${endpointColumn} = ${endpointId} and ${eventColumn} = ${eventId}
      and attempts = ${attempts} and state not in ('delivered', 'failed')`;
  return {
    exchange: (outcomes, requests, now) =>
      exchangeIn(sql, {
        outcomes: outcomes.map((outcome) => (tx) => record(tx, outcome)),
        requests: requests.map((request) => (tx) => claim(tx, request, now)),
      }),
  };
}

/** The statements of an exchange, each of which is given to a transaction. */
interface Exchange<C> {
  readonly outcomes: readonly ((tx: Tx) => PromiseLike<unknown>)[];
  readonly requests: readonly ((tx: Tx) => PromiseLike<readonly C[]>)[];
}

/** Records outcomes and claims deliveries in one transaction. */
export async function exchangeIn<C>(sql: Sql, { outcomes, requests }: Exchange<C>): Promise<readonly C[]> {
  if (outcomes.length + requests.length === 0) return [];
  const [, claimed] = await sql.begin((tx) =>
    Promise.all([Promise.all(outcomes.map((record) => record(tx))), Promise.all(requests.map((claim) => claim(tx)))]),
  );
  return claimed.flat();
}
