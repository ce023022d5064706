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

it("reads what it sends, and not all that waits, though its statements were planned while nothing waited", async () => {
  const [entityId, endpointId] = [v7(), v7()];
  await createEntity(sql, { id: entityId, name: "Backlog", now: NOW });
  await sql`insert into service.webhook_endpoints ${sql({
    id: endpointId,
    entity_id: entityId,
    name: "orders",
    url: "https://example.com/",
    event_types: ["transaction.created"],
    sealed_secrets: [randomBytes(32)],
    created_at: NOW,
  })}`;
  const store = deliveryStore(sql, createSealer(randomBytes(32), randomBytes));
  const round = async (): Promise<readonly Recorded[]> => {
    const due = await store.dueEndpoints(NOW);
    const claims = await store.claim(endpointId, { most: MOST, underWay: [] }, NOW);
    const outcomes = claims.map((claim): Recorded => {
      return { ...claim, state: "delivered", at: NOW, nextAttemptAt: NOW, status: 200, error: null };
    });
    await store.record(outcomes);
    return due.length === 0 ? [] : outcomes;
  };
  expect(await round()).toEqual([]);
  await sql`
    with e as (insert into service.events (id, entity_id, type, body, created_at)
      select gen_random_uuid(), ${entityId}::uuid, 'transaction.created', '{}', ${NOW}
      from generate_series(1, ${BACKLOG}::int) returning id)
    insert into service.webhook_deliveries (endpoint_id, event_id, state, next_attempt_at)
    select ${endpointId}::uuid, id, 'waiting', ${NOW}::timestamptz - row_number() over () * interval '1 ms' from e`;
  const before = await readSoFar();
  expect(await round()).toHaveLength(MOST);
  expect((await readSoFar()) - before).toBeLessThan(BACKLOG / 20);
  const [left] = await sql`select count(*)::int from service.webhook_deliveries where state = 'waiting'`;
  expect(left).toEqual({ count: BACKLOG - MOST });
});
