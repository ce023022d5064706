import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../test/support/database.ts";
import { beginAgain } from "./begin-again.ts";
import { sqlState } from "./classify-database-error.ts";
import { connect, type Sql } from "./connect.ts";

let database: TestDatabase;
let pool: Sql;
let sql: Sql;

beforeAll(async () => {
  database = await aDatabase();
  pool = connect(database.url, { max: 4, applicationName: "begin again test" });
  sql = beginAgain(pool);
  await sql`create table account (id int primary key, balance int not null)`;
  await sql`insert into account values (1, 0), (2, 0)`;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Fails so often with this SQLSTATE, then answers how often it ran. */
function failing(times: number, code: string) {
  let runs = 0;
  const work = sql.begin(async (tx) => {
    runs += 1;
    await tx`update account set balance = balance + 1 where id = 1`;
    if (runs <= times) await tx.unsafe(`do $$ begin raise 'lost' using errcode = '${code}'; end $$`);
    return runs;
  });
  return { work, runs: () => runs };
}

describe("a transaction", () => {
  it("that is one side of a deadlock runs again, and both are done", async () => {
    const take = (first: number, second: number) =>
      sql.begin("isolation level read committed", async (tx) => {
        await tx`update account set balance = balance + 1 where id = ${first}`;
        await tx`select pg_sleep(0.2)`;
        await tx`update account set balance = balance + 1 where id = ${second}`;
        return first;
      });
    expect(await Promise.all([take(1, 2), take(2, 1)])).toEqual([1, 2]);
    expect(await sql`select balance from account`).toEqual([{ balance: 2 }, { balance: 2 }]);
  });

  it.each(["40001", "40P01"])("that lost with %s runs again, and writes once", async (code) => {
    const [before] = await sql<{ balance: number }[]>`select balance from account where id = 1`;
    expect(await failing(2, code).work).toBe(3);
    expect(await sql`select balance from account where id = 1`).toEqual([{ balance: (before?.balance ?? 0) + 1 }]);
  });

  it("that loses for ever fails in the end", async () => {
    const { work, runs } = failing(100, "40P01");
    expect(sqlState(await work.catch((error: unknown) => error))).toBe("40P01");
    expect(runs()).toBe(5);
  });

  it("that fails for any other reason runs once", async () => {
    const { work, runs } = failing(1, "23505");
    expect(sqlState(await work.catch((error: unknown) => error))).toBe("23505");
    expect(runs()).toBe(1);
  });
});
