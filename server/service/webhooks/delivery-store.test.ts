import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { connect, type Sql } from "../../database/connect.ts";
import { createSealer } from "../../database/sealer.ts";
import type { Recorded } from "../../webhooks/delivery-store.ts";
import { createEntity } from "../api-clients/api-clients.ts";
import { deliveryStore } from "./delivery-store.ts";

const NOW = new Date("2026-07-01T12:00:00Z");
const BACKLOG = 20_000;
const MOST = 8;

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await aDatabase("service");
  sql = connect(database.url, { max: 1, applicationName: "delivery test" });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** Rows of the deliveries, and entries of their indexes, that statements have read so far. */
async function readSoFar(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`;
  const [found] = await sql<{ count: bigint }[]>`
    select (select seq_tup_read from pg_stat_user_tables where relname = 'webhook_deliveries')
      + (select sum(idx_tup_read)::bigint from pg_stat_user_indexes where relname = 'webhook_deliveries') as count`;
  return Number(found?.count);
}

interface Ids {
  readonly entityId: string;
  readonly endpointId: string;
}

/** Makes an entity with an endpoint. */
async function anEndpoint(): Promise<Ids> {
  const [entityId, endpointId] = [v7(), v7()];
  await createEntity(sql, { id: entityId, name: `Entity ${entityId}`, now: NOW });
  await sql`insert into service.webhook_endpoints ${sql({
    id: endpointId,
    entity_id: entityId,
    name: "orders",
    url: "https://example.com/",
    event_types: ["transaction.created"],
    sealed_secrets: [randomBytes(32)],
    created_at: NOW,
  })}`;
  return { entityId, endpointId };
}

/** Makes so many deliveries in a state, due one after the other until now. */
async function makeDeliveries({ entityId, endpointId }: Ids, state: "waiting" | "delivered", count: number) {
  await sql`
    with e as (insert into service.events (id, entity_id, type, body, created_at)
      select gen_random_uuid(), ${entityId}::uuid, 'transaction.created', '{}', ${NOW}
      from generate_series(1, ${count}::int) returning id)
    insert into service.webhook_deliveries (endpoint_id, event_id, state, next_attempt_at)
    select ${endpointId}::uuid, id, ${state}, ${NOW}::timestamptz - row_number() over () * interval '1 ms' from e`;
}

it("reads what it sends, and not all that waits, though its statements were planned while nothing waited", async () => {
  const ids = await anEndpoint();
  const { endpointId } = ids;
  const store = deliveryStore(sql, createSealer(randomBytes(32), randomBytes));
  const round = async (): Promise<readonly Recorded[]> => {
    const due = await store.dueEndpoints(NOW);
    const claims = await store.exchange([], [{ endpointId, most: MOST, underWay: [] }], NOW);
    const outcomes = claims.map((claim): Recorded => {
      return { ...claim, state: "delivered", at: NOW, nextAttemptAt: NOW, status: 200, error: null };
    });
    await store.exchange(outcomes, [], NOW);
    return due.length === 0 ? [] : outcomes;
  };
  expect(await round()).toEqual([]);
  await makeDeliveries(ids, "waiting", BACKLOG);
  const before = await readSoFar();
  expect(await round()).toHaveLength(MOST);
  expect((await readSoFar()) - before).toBeLessThan(BACKLOG / 20);
  const [left] = await sql`select count(*)::int from service.webhook_deliveries where state = 'waiting'`;
  expect(left).toEqual({ count: BACKLOG - MOST });
});

it("finds what is due behind all that was delivered before, though much waits elsewhere", async () => {
  const [busy, idle, behind] = [await anEndpoint(), await anEndpoint(), await anEndpoint()];
  await makeDeliveries(idle, "delivered", BACKLOG);
  await makeDeliveries(behind, "delivered", BACKLOG);
  await makeDeliveries(busy, "waiting", BACKLOG);
  await makeDeliveries(behind, "waiting", 1);
  await sql`analyze service.webhook_deliveries`;
  // A new connection has planned nothing yet.
  const other = connect(database.url, { max: 1, applicationName: "delivery test" });
  const before = await readSoFar();
  const due = await deliveryStore(other, createSealer(randomBytes(32), randomBytes)).dueEndpoints(NOW);
  await other`select pg_stat_force_next_flush()`;
  await other.end();
  expect(due.map(({ id }) => id)).toEqual(expect.arrayContaining([busy.endpointId, behind.endpointId]));
  expect(due.map(({ id }) => id)).not.toContain(idle.endpointId);
  expect((await readSoFar()) - before).toBeLessThan(BACKLOG / 20);
});
