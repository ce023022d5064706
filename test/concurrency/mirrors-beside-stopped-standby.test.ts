import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ledgerFaults } from "../support/a-ledger.ts";
import { aReplicatedDatabase, type ReplicatedDatabase } from "../support/a-replicated-database.ts";
import { LONG } from "../support/long-tests.ts";
import { payUntilAnswered } from "../support/pay-until-answered.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";

/** Longer than every time-out. The short form takes some of it, and moves the clocks on by the rest. */
const STOPPED_SECONDS = 240;
const TAKEN_SECONDS = LONG ? STOPPED_SECONDS : 4;
const STEPS = 40;
const MIRRORS = 20;
const CLIENTS = 8;
const FLOWING_MS = 500;

let database: ReplicatedDatabase;
let services: readonly [TestService, TestService];

beforeAll(async () => {
  database = await aReplicatedDatabase();
  await database.beSynchronous();
  const kept = { url: database.url, drop: async () => undefined };
  const first = await aService({ database: kept });
  services = [first, await aService({ database: kept, key: first.key })];
});
afterAll(async () => {
  // Together: a commit that waits for the standby ends with its server.
  await Promise.all([...(services ?? []).map((service) => service.stop()), database?.stop()]);
});

/** Keeps a copy of what a user received, and syncs it by what changed. */
class Mirror {
  readonly statuses = new Map<string, string>();
  readonly #fintech: TestEntity;
  readonly #userId: string;
  #since: string | undefined;

  constructor(fintech: TestEntity, userId: string) {
    this.#fintech = fintech;
    this.#userId = userId;
  }

  async sync(): Promise<void> {
    const query = { "user-id": this.#userId, "changed-since": this.#since, limit: "500" };
    let cursor: string | undefined;
    let since: string | undefined;
    do {
      const page = await this.#fintech.client.transactionHistory({ query: { ...query, cursor } });
      for (const { id, status } of page.body) this.statuses.set(id, status);
      ({ nextCursor: cursor, syncToken: since } = page);
    } while (cursor !== undefined);
    this.#since = since;
  }
}

async function stopStandbyFor(seconds: number): Promise<void> {
  await database.stopStandby();
  for (let step = 0; step < STEPS; step += 1) {
    await sleep((seconds * 1000) / STEPS);
    for (const service of services) service.advance((STOPPED_SECONDS - seconds) / STEPS);
  }
  await database.startStandby();
}

it(
  "mirrors by changed-since have all, though commits waited for a stopped standby longer than any time-out",
  async () => {
    const [fintech, other] = await Promise.all(services.map((service) => service.anEntity()));
    if (fintech === undefined || other === undefined) throw new Error("each service has an entity");
    const luz = await aUser(fintech);
    const loads = await Promise.all(
      [fintech, other].map(async (entity, index) => {
        const ana = await aUser(entity, { quota: 1_000_000 });
        return payUntilAnswered(entity.client, { name: `load ${index}`, clients: CLIENTS, from: ana.id, to: luz.id });
      }),
    );
    let isReading = true;
    const mirrors = Array.from({ length: MIRRORS }, () => new Mirror(fintech, luz.id));
    const reading = mirrors.map(async (mirror) => {
      for (; isReading; await sleep(100)) await mirror.sync().catch(() => undefined);
    });
    await sleep(FLOWING_MS);
    await stopStandbyFor(TAKEN_SECONDS);
    await sleep(FLOWING_MS);
    await Promise.all(loads.map((load) => load.end()));
    isReading = false;
    await Promise.all(reading);

    const rows = await services[0].sql<{ id: string; status: string }[]>`
    select id, status from service.transactions where to_user_id = ${luz.id}`;
    const truth = new Map(rows.map(({ id, status }) => [id, status]));
    expect([...truth.keys()].sort()).toEqual(loads.flatMap(({ answered }) => [...answered]).sort());
    for (const mirror of mirrors) {
      await mirror.sync();
      expect([...truth.keys()].filter((id) => !mirror.statuses.has(id))).toEqual([]);
      expect(mirror.statuses).toEqual(truth);
    }
    expect(await ledgerFaults(services[0].sql)).toEqual([]);
  },
  (STOPPED_SECONDS + 120) * 1000,
);
