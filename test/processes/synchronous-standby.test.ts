import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isCommitUnknown } from "../../server/database/classify-database-error.ts";
import { connect, type Sql } from "../../server/database/connect.ts";
import { ledgerFaults } from "../support/a-ledger.ts";
import { aReplicatedDatabase, type ReplicatedDatabase } from "../support/a-replicated-database.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";

let database: ReplicatedDatabase;
let admin: Sql;
let service: TestService;
let fintech: TestEntity;
let isDoubted = false;
/** Batches that were sent on remembered rows. */
let sent = 0;

beforeAll(async () => {
  database = await aReplicatedDatabase();
  await database.beSynchronous();
  admin = connect(database.url, { max: 1, applicationName: "cupo test admin" });
  service = await aService({
    database: { url: database.writableUrl, drop: async () => undefined },
    isDoubted() {
      sent += 1;
      return isDoubted;
    },
  });
  fintech = await service.anEntity();
  await service.sql`create table note (text text)`;
});
afterAll(async () => {
  // Together: a commit that waits for the standby ends with its server.
  await Promise.all([service?.stop(), admin?.end(), database?.stop()]);
});

/** Cancels the commit that waits for the standby, once there is one. */
async function cancelWait(): Promise<void> {
  const cancel = () => admin`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
  await expect.poll(cancel, { interval: 20 }).toHaveLength(1);
}

async function outcomeOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    return isCommitUnknown(error) ? "unknown" : error;
  }
}

describe("a commit whose wait for the standby is cancelled", () => {
  it("is unknown, in a transaction and without one, also where its statement has an answer", async () => {
    const { sql } = service;
    const works = [
      () => sql.begin((tx) => tx`insert into note values ('a')`),
      () => sql`insert into note values ('b')`,
      () => sql`insert into note values ('c') returning text`,
      () => sql.unsafe("insert into note values ('d')"),
    ];
    await database.stopStandby();
    for (const work of works) {
      const outcome = outcomeOf(work());
      await cancelWait();
      expect(await outcome).toBe("unknown");
      expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    }
    await database.startStandby();
    expect(await sql`select text from note order by text`).toHaveLength(works.length);
    expect(await sql`insert into note values ('e')`).toHaveLength(0);
  });

  it("answers 503 to a payment, which is made once when it is sent again after a failover that lost it", async () => {
    const [ana, luz] = [await aUser(fintech, { quota: 100 }), await aUser(fintech)];
    const body = { amount: 7, from_user_id: ana.id, to_user_id: luz.id };
    const pay = (key: string) => fintech.client.createTransaction({ body }, { idempotencyKey: key });
    const ways = ["on remembered rows", "with locks"];
    await database.stopStandby();
    for (const [index, way] of ways.entries()) {
      const before = { sent, refused: service.ledger.figures.refused };
      isDoubted = way === "with locks";
      const paid = pay(way).catch((error) => error);
      await cancelWait();
      expect(await paid).toMatchObject({ status: 503, code: "unavailable" });
      const refused = service.ledger.figures.refused - before.refused;
      expect({ sent: sent - before.sent, refused }).toEqual({ sent: 1, refused: isDoubted ? 1 : 0 });
      expect(await admin`select from service.transactions`).toHaveLength(index + 1);
    }

    await database.killPrimary();
    // It has not what the primary alone had, and follows nobody.
    await database.startStandby({ follows: false });
    await database.promote();
    for (const way of ways) {
      await expect.poll(async () => (await pay(way).catch(() => undefined))?.body.status).toBe("approved");
    }
    expect(await service.sql`select amount from service.transactions`).toEqual([{ amount: 700n }, { amount: 700n }]);
    expect(await ledgerFaults(service.sql)).toEqual([]);
  });
});

describe("a connection", () => {
  it.each([
    ["off", "on"],
    ["local", "on"],
    ["remote_write", "on"],
    ["on", "on"],
    ["remote_apply", "remote_apply"],
  ])("whose session would have synchronous_commit=%s has %s", async (setting, used) => {
    const options = { max: 1, applicationName: "cupo test" };
    const url = database.writableUrl;
    const sql = connect(`${url}&synchronous_commit=${setting}`, options);
    expect(await sql`select current_setting('synchronous_commit') as used`).toEqual([{ used }]);
    await sql.end();
  });
});
