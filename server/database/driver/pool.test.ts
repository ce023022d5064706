import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { isDatabaseAway } from "../classify-database-error.ts";
import { connect, type Sql } from "../connect.ts";

let database: TestDatabase;
const pools: Sql[] = [];
const servers: Server[] = [];

beforeAll(async () => {
  database = await aDatabase();
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end({ timeout: 1 })));
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => {
  await database.drop();
});

function aPool(max: number, url = database.url, applicationName = "pool test"): Sql {
  const pool = connect(url, { max, applicationName });
  pools.push(pool);
  return pool;
}

/** The address of something that takes connections and is no PostgreSQL. */
async function anImpostor(behave: "silent" | "closing"): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (behave === "closing") socket.destroy();
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return `postgres://ana:secret@127.0.0.1:${typeof address === "object" ? address?.port : ""}/cupo`;
}

/** The number of connections that so many transactions run on, when none ends before so many are open at once. */
async function backendsOf(pool: Sql, transactions: number, atOnce: number): Promise<number> {
  const allOpen = Promise.withResolvers<void>();
  let open = 0;
  const found = await Promise.all(
    Array.from({ length: transactions }, () =>
      pool.begin(async (tx) => {
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        open += 1;
        if (open === atOnce) allOpen.resolve();
        await allOpen.promise;
        return row?.pid;
      }),
    ),
  );
  return new Set(found).size;
}

describe("a pool", () => {
  it("opens as many connections as are needed at once, and never more than it may", async () => {
    expect(await backendsOf(aPool(3), 1, 1)).toBe(1);
    expect(await backendsOf(aPool(3), 2, 2)).toBe(2);
    expect(await backendsOf(aPool(3), 20, 3)).toBe(3);
  });

  it("gives a connection whose statement was refused to the next", async () => {
    const pool = aPool(1);
    const pid = () => pool`select pg_backend_pid() as pid`;
    const before = await pid();
    await pool`select nothing`.catch(() => undefined);
    expect(await pid()).toEqual(before);
  });

  it("answers each of those who waited with its own, and fails the one that fails", async () => {
    const pool = aPool(2);
    const many = Array.from({ length: 100 }, (_, index) =>
      index % 10 === 3
        ? pool`select 1 / 0`.catch(() => index)
        : pool<{ n: number }[]>`select ${index}::int4 as n`.then(([row]) => row?.n),
    );
    const alone = pool.begin((tx) => tx<{ n: number }[]>`select ${100}::int4 as n`).then(([row]) => row?.n);
    expect(await Promise.all([...many, alone])).toEqual(Array.from({ length: 101 }, (_, index) => index));
  });

  it("gives no connection on that is still in a transaction", async () => {
    const pool = aPool(1);
    const pid = () => pool`select pg_backend_pid() as pid`;
    const before = await pid();
    await pool`begin`;
    expect(await pid()).not.toEqual(before);
  });

  it("closes a connection to a server that only reads, with the idle ones, and opens others", async () => {
    const pool = aPool(2);
    const pids = async () => {
      const found = await Promise.all(
        [1, 2].map(
          () => pool<{ pid: number }[]>`select pg_backend_pid() as pid,
        set_config('default_transaction_read_only', 'on', false), pg_sleep(0.02)`,
        ),
      );
      return found.map(([row]) => row?.pid);
    };
    const before = await pids();
    await expect(pool`create table never (id int)`.execute()).rejects.toMatchObject({ code: "25006" });
    const after = await pids();
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    const work = pool.begin((tx) => tx`create table never (id int)`);
    await expect(work).rejects.toMatchObject({ code: "25006" });
    expect(await pool`create table once (id int)`).toHaveLength(0);
  });

  it("has a limited number of statements prepared, and runs more", async () => {
    const pool = aPool(1);
    for (let number = 0; number < 1_010; number += 1) await pool.unsafe(`select ${number}`, [], { prepare: true });
    expect(await pool`select count(*)::int as kept from pg_prepared_statements`).toEqual([{ kept: 1_000 }]);
  });

  it("fails all who wait when nothing answers", async () => {
    for (const url of [await anImpostor("closing"), "postgres://ana:secret@127.0.0.1:1/cupo"]) {
      const pool = aPool(2, url);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => pool`select 1`.catch(isDatabaseAway)));
      expect(new Set(outcomes)).toEqual(new Set([true]));
    }
  });

  it("gives up on a server that says nothing", { timeout: 15_000 }, async () => {
    const [alone, two] = [await anImpostor("silent"), await anImpostor("silent")];
    const several = alone.replace("/cupo", `,${new URL(two).host}/cupo`);
    expect(await aPool(1, several)`select 1`.catch((error) => error)).toMatchObject({ code: "CONNECT_TIMEOUT" });
  });
});

describe("a pool that is ended", () => {
  it("first answers all that it was given, and refuses what comes later", async () => {
    const pool = aPool(2);
    const given = Array.from({ length: 20 }, () => pool`select 1 as one, pg_sleep(0.01)`.execute());
    const ended = pool.end();
    expect(await pool`select 1`.catch((error) => error)).toMatchObject({ code: "CONNECTION_ENDED" });
    expect((await Promise.all(given)).flat()).toHaveLength(20);
    await ended;
  });

  it("fails what is left after the time that it was given", async () => {
    const pool = aPool(1);
    const given = [pool`select pg_sleep(20)`, pool`select 1`].map((each) => each.catch((error) => error));
    await sleep(100);
    await pool.end({ timeout: 0.2 });
    expect(await Promise.all(given)).toMatchObject([
      { code: "CONNECTION_DESTROYED" },
      { code: "CONNECTION_DESTROYED" },
    ]);
  });

  it("has closed its connections by then", async () => {
    const [pool, admin] = [aPool(3, database.url, "ended pool"), aPool(1)];
    await backendsOf(pool, 3, 3);
    await pool.end();
    const left = () => admin`select from pg_stat_activity where application_name = 'ended pool'`;
    await expect.poll(left).toHaveLength(0);
  });
});
