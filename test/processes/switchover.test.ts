import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledgerFaults } from "../support/a-ledger.ts";
import { aReplicatedDatabase, type ReplicatedDatabase } from "../support/a-replicated-database.ts";
import { aService, aUser, BASE_URL, type TestEntity, type TestService } from "../support/service.ts";

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

describe("after a switchover", () => {
  it("payments go on at the new primary, and who reaches the old one alone is not ready", async () => {
    const [ana, luz] = [await aUser(fintech, { quota: 100 }), await aUser(fintech)];
    const body = { amount: 1, from_user_id: ana.id, to_user_id: luz.id };
    const pay = async () => (await fintech.client.createTransaction({ body })).body.status;
    const reads = () => fintech.client.transactionHistory({ query: { "user-id": luz.id } });
    await Promise.all(Array.from({ length: 8 }, reads));
    expect(await pay()).toBe("approved");
    expect([await readiness(service), await readiness(ofOneHost)]).toEqual([200, 200]);

    await database.switchOver();
    await expect.poll(() => pay().catch(String)).toBe("approved");
    await expect.poll(() => readiness(service)).toBe(200);
    expect((await reads()).body).toHaveLength(2);
    expect(await readiness(ofOneHost)).toBe(503);
    expect(await ledgerFaults(service.sql)).toEqual([]);
  });
});
