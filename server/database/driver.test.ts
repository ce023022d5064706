import { setImmediate as nextImmediate, setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../test/support/database.ts";
import { aRelay, type Relay } from "../../test/support/relay.ts";
import { isDatabaseAway } from "./classify-database-error.ts";
import { connect, type Sql, type Tx } from "./connect.ts";

let database: TestDatabase;
let relay: Relay;
let admin: Sql;
/** One connection, so that what one transaction leaves behind meets the next. */
let sql: Sql;

beforeAll(async () => {
  database = await aDatabase();
  admin = connect(database.url, { max: 1, applicationName: "driver admin" });
  await admin`create table note (text text)`;
});

beforeEach(async () => {
  const url = new URL(database.url);
  relay = await aRelay(Number(url.port));
  url.port = String(relay.port);
  sql = connect(url.href, { max: 1, applicationName: "driver victim" });
});

afterEach(async () => {
  await sql.end({ timeout: 1 });
  await relay.close();
  await admin`truncate note`;
});

afterAll(async () => {
  await admin.end();
  await database.drop();
});

async function terminate(): Promise<void> {
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'driver victim'`;
}

/** The ways in which a connection is lost: PostgreSQL ends it with a message, or the network resets it. */
const LOSSES = { "PostgreSQL ends": terminate, "the network resets": async (): Promise<void> => relay.reset() };

async function outcomeOf(work: PromiseLike<unknown>): Promise<unknown> {
  const failure = (async () => {
    try {
      return await work;
    } catch (error) {
      return isDatabaseAway(error) ? "away" : error;
    }
  })();
  return await Promise.race([failure, sleep(5_000, "still waiting")]);
}

async function expectSound(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) expect(await outcomeOf(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  expect(await outcomeOf(sql.begin((tx) => tx`select 1 as one`))).toEqual([{ one: 1 }]);
}

describe.each(Object.entries(LOSSES))("a connection that %s", (_, lose) => {
  it("between two statements of a transaction fails that transaction, and the next statements succeed", async () => {
    const work = sql.begin(async (tx) => {
      await tx`insert into note values ('lost')`;
      await lose();
      await sleep(50);
      await tx`insert into note values ('later')`;
    });
    expect(await outcomeOf(work)).toBe("away");
    await expectSound();
    expect(await admin`select text from note`).toEqual([]);
  });

  it("during a statement fails it, and the next statements succeed", async () => {
    for (const work of [sql.begin((tx) => tx`select pg_sleep(20)`), sql`select pg_sleep(20)`]) {
      const outcome = outcomeOf(work);
      await sleep(100);
      await lose();
      expect(await outcome).toBe("away");
      // Given before the driver knows of the close: it may fail too, and must not hang, nor what follows it.
      await nextImmediate();
      expect([[{ one: 1 }], "away"]).toContainEqual(await outcomeOf(sql`select 1 as one`));
      await expectSound();
    }
  });

  it("fails a statement of whoever had reserved it", async () => {
    const reserved = await sql.reserve();
    await lose();
    await sleep(50);
    expect(await outcomeOf(reserved`select 1`)).toBe("away");
    await expectSound();
  });
});

describe.each(Object.entries(LOSSES))("a transaction whose connection %s", (_, lose) => {
  it("fails what it still tries, also when it takes no for no answer", async () => {
    const work = sql.begin(async (tx) => {
      const sleeping = tx`select pg_sleep(20)`.catch(() => "lost");
      await sleep(50);
      await lose();
      await sleeping;
      await tx`insert into note values ('stubborn')`.catch(() => "lost");
      await tx`insert into note values ('stubborn')`;
    });
    expect(await outcomeOf(work)).toBe("away");
    await expectSound();
    expect(await admin`select text from note`).toEqual([]);
  });

  it("never writes inside the next one", async () => {
    let lostTx: Tx | undefined;
    let goOn: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const lost = sql.begin(async (tx) => {
      lostTx = tx;
      await tx`select 1`;
      await until;
      await tx`insert into note values ('of the lost')`;
    });
    const lostOutcome = outcomeOf(lost);
    await expect.poll(() => lostTx).toBeDefined();
    await sleep(50);
    await lose();
    expect(await lostOutcome).toBe("away");
    const next = sql.begin(async (tx) => {
      await tx`insert into note values ('of the next')`;
      goOn();
      await sleep(50);
      return await tx`select text from note`;
    });
    expect(await outcomeOf(next)).toEqual([{ text: "of the next" }]);
    expect(await admin`select text from note`).toEqual([{ text: "of the next" }]);
  });
});

describe("a transaction that fills the pipeline", () => {
  it.each([97, 98, 99, 100, 101, 102])("is its own behind %i statements of others", async (statements) => {
    await sql`select 1`;
    const others = Array.from({ length: statements }, () => sql`select 1 as one`.execute());
    const transaction = sql.begin(async (tx) => {
      await tx`insert into note values ('inside')`;
      throw new Error("changed its mind");
    });
    const after = sql`insert into note values ('outside')`.execute();
    await expect(transaction).rejects.toThrow("changed its mind");
    await Promise.all([...others, after]);
    expect(await admin`select text from note`).toEqual([{ text: "outside" }]);
  });
});
