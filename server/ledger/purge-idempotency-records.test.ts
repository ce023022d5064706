import { afterAll, beforeAll, expect, test } from "vitest";
import { aLedger, type TestLedger } from "../../test/support/a-ledger.ts";
import type { TestEntity } from "../../test/support/ledger.ts";
import { purgeIdempotencyRecords } from "./purge-idempotency-records.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = new Date("2026-06-30T12:00:00Z");

let ledger: TestLedger;
let entity: TestEntity;

beforeAll(async () => {
  ledger = await aLedger();
  entity = await ledger.anEntity();
});
afterAll(() => ledger.drop());

async function keep(key: string, daysAgo: number): Promise<void> {
  const createdAt = new Date(NOW.getTime() - daysAgo * DAY_MS);
  await ledger.sql`
    insert into service.idempotency_records (entity_id, client_id, operation, key, fingerprint, answer, created_at)
    values (${entity.id}, 'client', 'createTransaction', ${key}, 'print', '{"body":"{}"}', ${createdAt})`;
}

test("an answer is kept for thirty days and then forgotten", async () => {
  await keep("yesterday", 1);
  await keep("just kept", 29.99);
  await keep("just over", 30.01);
  await keep("long ago", 400);
  expect(await purgeIdempotencyRecords(ledger.sql, NOW)).toBe(2);
  const left = await ledger.sql<{ key: string }[]>`select key from service.idempotency_records order by key`;
  expect(left.map(({ key }) => key)).toEqual(["just kept", "yesterday"]);
  expect(await purgeIdempotencyRecords(ledger.sql, NOW)).toBe(0);
});

test("a backlog of more than one delete is forgotten whole", async () => {
  await ledger.sql`
    insert into service.idempotency_records (entity_id, client_id, operation, key, fingerprint, answer, created_at)
    select ${entity.id}::uuid, 'client', 'op', i::text, 'print', '{"body":"{}"}',
      ${new Date(NOW.getTime() - 31 * DAY_MS)}
    from generate_series(1, 12000) i`;
  expect(await purgeIdempotencyRecords(ledger.sql, NOW)).toBe(12_000);
});
