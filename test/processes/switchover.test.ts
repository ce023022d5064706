import { afterAll, beforeAll, expect, it } from "vitest";
import { ledgerFaults } from "../support/a-ledger.ts";
import { aReplicatedDatabase, type ReplicatedDatabase } from "../support/a-replicated-database.ts";
import { payUntilAnswered } from "../support/pay-until-answered.ts";
import { aService, aUser, BASE_URL, type TestEntity, type TestService } from "../support/service.ts";

const CLIENTS = 16;

let database: ReplicatedDatabase;
/** A service that knows both hosts, and one that knows the first alone. */
let service: TestService;
let ofOneHost: TestService;
let fintech: TestEntity;

const drop = async (): Promise<void> => undefined;

beforeAll(async () => {
  database = await aReplicatedDatabase();
  service = await aService({ database: { url: database.writableUrl, drop } });
  ofOneHost = await aService({ database: { url: database.url, drop }, key: service.key });
  fintech = await service.anEntity();
});
afterAll(async () => {
  await service?.stop();
  await ofOneHost?.stop();
  await database?.stop();
});

async function readiness({ fetch }: TestService): Promise<number> {
  return (await fetch(`${BASE_URL}/health/ready`)).status;
}

it("payments go on at the new primary, none of them lost, and who reaches the old one alone is not ready", async () => {
  const [ana, luz] = [await aUser(fintech, { quota: 1_000_000 }), await aUser(fintech)];
  const reads = () => fintech.client.transactionHistory({ query: { "user-id": luz.id } });
  await Promise.all(Array.from({ length: 8 }, reads));
  expect([await readiness(service), await readiness(ofOneHost)]).toEqual([200, 200]);

  const load = payUntilAnswered(fintech.client, { name: "load", clients: CLIENTS, from: ana.id, to: luz.id });
  await expect.poll(() => load.answered.size).toBeGreaterThan(CLIENTS);
  await database.switchOver();
  const before = load.answered.size;
  await expect.poll(() => load.answered.size).toBeGreaterThan(before + CLIENTS);
  await load.end();
  await expect.poll(() => readiness(service)).toBe(200);
  expect(await readiness(ofOneHost)).toBe(503);

  console.info(`the longest time without a payment: ${load.longestPauseMs.toFixed(0)} ms`);
  expect(load.faults).toEqual([]);
  const rows = await service.sql<{ id: string }[]>`select id from service.transactions`;
  expect(rows.map(({ id }) => id).sort()).toEqual([...load.answered].sort());
  expect((await reads()).body.length).toBeGreaterThan(CLIENTS);
  expect(await ledgerFaults(service.sql)).toEqual([]);
});
