import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../test/support/database.ts";
import { aRelay } from "../../test/support/relay.ts";
import { isDatabaseAway } from "./classify-database-error.ts";
import { connect, type Sql } from "./connect.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 2, applicationName: "connect test" });
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** The test database's address with another list of hosts. */
function withHosts(hosts: (real: string) => string, options = ""): string {
  return database.url.replace(/@([^/]+)/, (_, real: string) => `@${hosts(real)}`) + options;
}

/** Where nothing listens: the port was free a moment ago. */
async function aDeadHost(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${typeof address === "object" ? address?.port : 1}`;
}

describe("values between columns and JavaScript", () => {
  it("int8 is bigint, also in arrays and as a parameter", async () => {
    const large = 9_007_199_254_740_993n;
    expect(await sql`select ${large}::int8 as one, ${sql.array([large, 1n])}::int8[] as many`).toEqual([
      { one: large, many: [large, 1n] },
    ]);
  });

  it("numeric keeps every digit as text", async () => {
    expect(await sql`select 0.1000000000000000055::numeric as n, sum(x) as s from (values (1::int8)) t(x)`).toEqual([
      { n: "0.1000000000000000055", s: "1" },
    ]);
  });

  it("json and jsonb are the text itself, both ways", async () => {
    const text = '{"a":0.1000000000000000055,"b":1.00}';
    const [row] = await sql`select ${text}::json as j, ${text}::jsonb as b, ${text}::jsonb->>'b' as inner`;
    expect(row).toEqual({ j: text, b: '{"a": 0.1000000000000000055, "b": 1.00}', inner: "1.00" });
    await sql.begin(async (tx) => {
      await tx`create temporary table kept (j json, b jsonb) on commit drop`;
      await tx`insert into kept ${tx({ j: text, b: text })}`;
      expect(await tx`select j, jsonb_typeof(b) as kind from kept`).toEqual([{ j: text, kind: "object" }]);
    });
  });

  it("timestamptz is a Date, goes in as a Date or as exact text, and is told in UTC", async () => {
    const instant = new Date("2026-01-31T23:59:59.123Z");
    const micros = "2026-01-31 23:59:59.123456+00";
    const [row] = await sql`select ${instant}::timestamptz as t, ${micros}::timestamptz::text as exact`;
    expect(row).toEqual({ t: instant, exact: micros });
  });

  it("a calendar day is text, whatever the machine's time zone", async () => {
    expect(await sql`select ${"2026-01-31"}::date as day`).toEqual([{ day: "2026-01-31" }]);
  });

  it("an undefined parameter is refused rather than written as null", async () => {
    const nothing = undefined as unknown as string;
    await expect((async () => await sql`select ${nothing}::text`)()).rejects.toThrow("UNDEFINED_VALUE");
  });
});

describe("a connection", () => {
  it("gives up on statements and idle transactions after a while, and shows its name", async () => {
    const [row] = await sql`select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('application_name') as name`;
    expect(row).toEqual({ statement: "30s", idle: "1min", name: "connect test" });
  });

  it("sees in a transaction what others committed before each statement, however the database was set", async () => {
    const name = sql(new URL(database.url).pathname.slice(1));
    await sql`alter database ${name} set default_transaction_isolation = serializable`;
    const pool = connect(database.url, { max: 1, applicationName: "isolation" });
    const [row] = await pool.begin((tx) => tx`select current_setting('transaction_isolation') as level`);
    expect(row).toEqual({ level: "read committed" });
    await pool.end();
  });

  it("prints no notice", async () => {
    expect(await sql`drop table if exists never_there`).toHaveLength(0);
  });
});

describe("an address with several hosts", () => {
  it("finds the one that can be written to, wherever it stands in the list", async () => {
    const dead = await aDeadHost();
    for (const hosts of [(real: string) => `${dead},${real}`, (real: string) => `${real},${dead}`]) {
      const pool = connect(withHosts(hosts, "?target_session_attrs=read-write"), { max: 3, applicationName: "two" });
      const rows = await Promise.all([pool`select 1 as one`, pool`select 1 as one`, pool`select 1 as one`]);
      expect(rows.flat()).toEqual([{ one: 1 }, { one: 1 }, { one: 1 }]);
      await pool.end();
    }
  });

  it("fails soon when every host is away, and works again when one is back", async () => {
    const dead = [await aDeadHost(), await aDeadHost()];
    const pool = connect(
      withHosts(() => dead.join(","), "?target_session_attrs=read-write"),
      {
        max: 1,
        applicationName: "none",
      },
    );
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const outcome = await Promise.race([pool`select 1`.catch(isDatabaseAway), sleep(5_000, "still waiting")]);
      expect(outcome).toBe(true);
    }
    const back = await aRelay(Number(new URL(database.url).port), { port: Number(dead[1]?.split(":")[1]) });
    await expect.poll(() => pool`select 1 as one`.catch(isDatabaseAway), { timeout: 5_000 }).toEqual([{ one: 1 }]);
    await pool.end();
    await back.close();
  });

  it("refuses a host of the wrong kind, and takes it where another is only preferred", async () => {
    const options = { max: 1, applicationName: "standby" };
    const strict = connect(
      withHosts((real) => `${real},${real}`, "?target_session_attrs=standby"),
      options,
    );
    expect(await strict`select 1`.catch(isDatabaseAway)).toBe(true);
    await strict.end({ timeout: 1 });
    const lenient = connect(
      withHosts((real) => `${real},${real}`, "?target_session_attrs=prefer-standby"),
      options,
    );
    expect(await lenient`select 1 as one`).toEqual([{ one: 1 }]);
    await lenient.end();
  });

  it("with one host alone that is away fails at once", async () => {
    const dead = await aDeadHost();
    const pool = connect(
      withHosts(() => dead),
      { max: 1, applicationName: "none" },
    );
    expect(await pool`select 1`.catch(isDatabaseAway)).toBe(true);
    await pool.end({ timeout: 1 });
  });
});
