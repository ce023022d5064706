import type { EnrolmentCodeEvent } from "../../../../src/contract/broker/enrolment-code-event.ts";
import type { Sql, Tx } from "../../../database/connect.ts";
import { createSealer, type Sealer } from "../../../database/sealer.ts";
import { type Deliverer, startDeliverer } from "../../../webhooks/deliverer.ts";
import {
  type Claim,
  type ClaimRequest,
  type DeliveryStore,
  type Endpoint,
  LEASE_MS,
  type Recorded,
} from "../../../webhooks/delivery-store.ts";
import { exchangeIn } from "../../../webhooks/delivery-table.ts";
import { createWebhookNetwork } from "../../../webhooks/webhook-network.ts";
import type { WebhookOptions } from "../../../webhooks/webhook-options.ts";
import { type BrokerContext, toInstant } from "../../access/broker-context.ts";
import { openCode, openEndpointSecret } from "./enrolment-code-store.ts";

interface ClaimedRow extends Omit<Claim, "body"> {
  readonly sealed: Uint8Array;
  readonly userId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** SQL condition: a code `c` of an enrolment `e` is due for an attempt and still worth one. */
function isDue(sql: Tx, now: Date) {
  return sql`(c.sealed_code is not null and c.next_attempt_at <= ${now}
    and (c.leased_until is null or c.leased_until <= ${now}) and e.used_at is null and e.withdrawn_at is null
    and e.tries_left > 0 and e.expires_at > ${now})`;
}

function dueEndpoints(sql: Sql, now: Date): Promise<readonly Endpoint[]> {
  return sql<Endpoint[]>`
    select n.id, n.url from broker.code_endpoints n
    where n.ended_at is null and exists (
      select from broker.enrolment_codes c join broker.enrolments e on e.id = c.enrolment_id
      where c.endpoint_id = n.id and ${isDue(sql, now)})`;
}

function messageOf(sealer: Sealer, row: ClaimedRow): string {
  const { eventId: id, userId, createdAt, expiresAt } = row;
  const data = { enrolment_id: id, user_id: userId, code: openCode(sealer, id, row.sealed) };
  return JSON.stringify({
    type: "enrolment.code",
    timestamp: toInstant(createdAt),
    data: { ...data, expires_at: toInstant(expiresAt) },
  } satisfies EnrolmentCodeEvent);
}

function claimCodes(sql: Tx, { endpointId, most, underWay }: ClaimRequest, now: Date): PromiseLike<ClaimedRow[]> {
  return sql<ClaimedRow[]>`
    with due as materialized (
      select c.enrolment_id from broker.enrolment_codes c join broker.enrolments e on e.id = c.enrolment_id
      where c.endpoint_id = ${endpointId} and ${isDue(sql, now)} and c.enrolment_id <> all(${[...underWay]}::uuid[])
      order by c.next_attempt_at, c.enrolment_id limit ${most} for update of c skip locked)
    update broker.enrolment_codes c set attempts = c.attempts + 1,
      leased_until = ${new Date(now.getTime() + LEASE_MS)}, first_attempt_at = coalesce(c.first_attempt_at, ${now})
    from due, broker.enrolments e, broker.people p
    where c.enrolment_id = due.enrolment_id and e.id = c.enrolment_id and p.id = e.person_id
    returning c.endpoint_id as "endpointId", c.enrolment_id as "eventId", c.attempts,
      c.first_attempt_at as "firstAttemptAt", c.sealed_code as sealed, p.user_id as "userId",
      e.created_at as "createdAt", e.expires_at as "expiresAt"`;
}

function recordOutcome(sql: Tx, { eventId, attempts, state, nextAttemptAt, error, at }: Recorded) {
  const isTold = state === "delivered";
  return sql`
    update broker.enrolment_codes c
    set next_attempt_at = ${nextAttemptAt}, leased_until = null, last_error = ${error},
      told_at = ${isTold ? at : null}, sealed_code = case when ${isTold} then null else c.sealed_code end
    where c.enrolment_id = ${eventId} and c.attempts = ${attempts} and c.sealed_code is not null`;
}

/**
 * Creates the delivery store of enrolment codes: each goes to the endpoint that there was when its enrolment was made,
 * is tried again only while it is good, and is deleted once the endpoint has accepted it.
 */
function codeOutbox(sql: Sql, sealer: Sealer): DeliveryStore {
  return {
    dueEndpoints: (now) => dueEndpoints(sql, now),
    async exchange(outcomes, requests, now) {
      const rows = await exchangeIn(sql, {
        outcomes: outcomes.map((outcome) => (tx) => recordOutcome(tx, outcome)),
        requests: requests.map((request) => (tx) => claimCodes(tx, request, now)),
      });
      return rows.map((row) => ({ ...row, body: messageOf(sealer, row) }));
    },
    async secretsOf({ id }) {
      const secret = await openEndpointSecret(sql, sealer, id);
      return secret === undefined ? [] : [secret];
    },
  };
}

/**
 * Starts the delivery of enrolment codes to the entity's endpoint for codes, and returns the deliverer; several
 * processes share one outbox.
 */
export function sendCodes(broker: BrokerContext, options: WebhookOptions = {}): Deliverer {
  const { sql, key, clock, random, log } = broker;
  const store = codeOutbox(sql, createSealer(key, random));
  return startDeliverer({ ...options, store, network: createWebhookNetwork(options), clock, random, log });
}
