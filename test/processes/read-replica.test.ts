import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Sql } from "../../server/database/connect.ts";
import { aReplicatedDatabase, type ReplicatedDatabase } from "../support/a-replicated-database.ts";
import { goTo, todayOf } from "../support/business-days.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";

let database: ReplicatedDatabase;
let readSql: Sql;
let service: TestService;
let fintech: TestEntity;

beforeAll(async () => {
  database = await aReplicatedDatabase();
  readSql = connect(database.standbyUrl, { max: 3, applicationName: "cupo test reads" });
  service = await aService({ readSql, database: { url: database.url, drop: async () => undefined } });
  fintech = await service.anEntity();
});
afterAll(async () => {
  await service?.stop();
  await readSql?.end();
  await database?.stop();
});

const WAIT_MS = 20_000;

async function untilCaughtUp(): Promise<void> {
  const [sent] = await service.sql<{ at: string }[]>`select pg_current_wal_insert_lsn()::text as at`;
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += 20) {
    const [row] = await readSql<{ done: boolean }[]>`
      select pg_last_wal_replay_lsn() >= ${sent?.at ?? ""}::pg_lsn as done`;
    if (row?.done) return;
    await sleep(20);
  }
  throw new Error("the replica did not catch up");
}

async function statistics() {
  return (await fintech.client.getTransactionStatistics({ query: { uid: fintech.entityId } })).body;
}

it("reads statistics and closed reports from the replica, says as of when, and all else from the primary", async () => {
  goTo(service, 1);
  const [ana, luz] = [await aUser(fintech, { quota: 100 }), await aUser(fintech)];
  const body = { amount: 5, from_user_id: ana.id, to_user_id: luz.id };
  await fintech.client.createTransaction({ body });
  await untilCaughtUp();
  const before = await statistics();
  expect(before.total.created).toMatchObject({ count: 1, sum: "5" });

  await readSql`select pg_wal_replay_pause()`;
  await fintech.client.createTransaction({ body });
  const behind = await statistics();
  expect([behind.total, behind.as_of]).toEqual([before.total, before.as_of]);
  const month = todayOf(service).slice(0, 7);
  const query = { year: month.slice(0, 4), month: month.slice(5) };
  const { body: open } = await fintech.client.getAccountingReport({ query });
  expect(open.trial_balance?.accounts[0]).toMatchObject({ account: "user_quota", debit: "10" });
  expect(open.as_of > behind.as_of).toBe(true);

  goTo(service, 31);
  const { body: closing } = await fintech.client.closeMonth({ body: { month } });
  const { body: closed } = await fintech.client.getAccountingReport({ query });
  expect(closed).toMatchObject({ closed: true, as_of: closing.closed_at });

  await readSql`select pg_wal_replay_resume()`;
  await untilCaughtUp();
  const first = `${month}-01`;
  const caughtUp = await fintech.client.getTransactionStatistics({
    query: { uid: fintech.entityId, "from-date": first },
  });
  expect(caughtUp.body.total.created).toMatchObject({ count: 2, sum: "10" });
  expect((await fintech.client.getAccountingReport({ query })).body).toEqual(closed);
});

it.each([
  ["read-write", false],
  ["primary", false],
  ["read-only", true],
  ["standby", true],
  ["prefer-standby", true],
])("an address with both and target_session_attrs=%s finds the standby: %s", async (target, isStandby) => {
  const hosts = [database.url, database.standbyUrl].map((url) => new URL(url).host);
  for (const list of [hosts, hosts.toReversed()]) {
    const url = database.url.replace(/@[^/]+/, `@${list.join()}`);
    const sql = connect(`${url}?target_session_attrs=${target}`, { max: 1, applicationName: "cupo test target" });
    expect(await sql`select pg_is_in_recovery() as standby`).toEqual([{ standby: isStandby }]);
    await sql.end();
  }
});
