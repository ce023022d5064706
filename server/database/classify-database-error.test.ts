import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../test/support/database.ts";
import { classifyDatabaseError, isDatabaseAway, sqlState } from "./classify-database-error.ts";
import { connect, type Sql } from "./connect.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 4, applicationName: "classify test" });
  await sql`create table account (id int primary key, balance int not null, constraint rich check (balance >= 0))`;
  await sql`insert into account values (1, 100), (2, 100)`;
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("it succeeded");
}

describe("a failed statement", () => {
  it("that breaks a unique constraint is told with the constraint's name", async () => {
    const error = await failureOf(sql`insert into account values (1, 5)`);
    expect(classifyDatabaseError(error)).toEqual({ kind: "unique", constraint: "account_pkey" });
    expect(sqlState(error)).toBe("23505");
  });

  it("that breaks another constraint, or is wrong, is a bug", async () => {
    for (const statement of [sql`insert into account values (3, -5)`, sql`select nothing`]) {
      expect(classifyDatabaseError(await failureOf(statement))).toEqual({ kind: "other" });
    }
  });

  it("that lost to a transaction of the same time may be tried again", async () => {
    const error = await failureOf(
      sql.begin("isolation level serializable", async (tx) => {
        await tx`select balance from account where id = 1`;
        await sql`update account set balance = balance - 1 where id = 1`;
        await tx`update account set balance = balance - 1 where id = 1`;
      }),
    );
    expect(sqlState(error)).toBe("40001");
    expect(classifyDatabaseError(error)).toEqual({ kind: "retry" });
  });

  it("that is one side of a deadlock may be tried again", async () => {
    const take = async (first: number, second: number): Promise<void> => {
      await sql.begin(async (tx) => {
        await tx`update account set balance = balance + 1 where id = ${first}`;
        await tx`select pg_sleep(0.3)`;
        await tx`update account set balance = balance + 1 where id = ${second}`;
      });
    };
    const outcomes = await Promise.allSettled([take(1, 2), take(2, 1)]);
    const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(failures.map(sqlState)).toEqual(["40P01"]);
    expect(failures.map(classifyDatabaseError)).toEqual([{ kind: "retry" }]);
  });

  it("whose connection is ended by the server is away", async () => {
    const victim = connect(database.url, { max: 1, applicationName: "victim" });
    const sleeping = failureOf(victim`select pg_sleep(20)`);
    await expect
      .poll(() => sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'`)
      .toHaveLength(1);
    expect(isDatabaseAway(await sleeping)).toBe(true);
    expect(await victim`select 1 as one`).toEqual([{ one: 1 }]);
    await victim.end();
  });

  it("that ran out of time is away, and one of a program's own is not", async () => {
    const slow = sql.begin(async (tx) => {
      await tx`set local statement_timeout = 50`;
      await tx`select pg_sleep(20)`;
    });
    expect(isDatabaseAway(await failureOf(slow))).toBe(true);
    for (const error of [
      new Error("ours"),
      Object.assign(new Error("ours"), { code: "40001" }),
      "40001",
      null,
      undefined,
    ]) {
      expect(classifyDatabaseError(error)).toEqual({ kind: "other" });
      expect(sqlState(error)).toBeUndefined();
    }
  });

  it("on a database that only reads is away: it is a standby or was demoted", async () => {
    const reading = sql.begin("read only", async (tx) => tx`update account set balance = 0`);
    expect(isDatabaseAway(await failureOf(reading))).toBe(true);
  });

  it.each(["53300", "08006", "57P03", "53100"])("with SQLSTATE %s is away", (code) => {
    expect(classifyDatabaseError({ severity: "FATAL", code })).toEqual({ kind: "away" });
  });
});
