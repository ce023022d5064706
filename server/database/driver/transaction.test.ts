import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { sqlState } from "../classify-database-error.ts";
import { connect, type Sql, type Tx } from "../connect.ts";
import { Transaction } from "./transaction.ts";

let database: TestDatabase;
/** One connection, so that whatever a transaction leaves behind shows. */
let sql: Sql;

beforeAll(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 1, applicationName: "transaction test" });
  await sql`create table note (id int primary key, parent int references note deferrable initially deferred)`;
});
beforeEach(async () => {
  await sql`truncate note`;
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

async function notes(): Promise<unknown[]> {
  return [...(await sql<{ id: number }[]>`select id from note order by id`)].map(({ id }) => id);
}

describe("a transaction", () => {
  it("answers what its work answered, once it is committed", async () => {
    expect(await sql.begin(async (tx) => (await tx`insert into note values (1) returning id`)[0])).toEqual({ id: 1 });
    expect(await notes()).toEqual([1]);
  });

  it("writes nothing when its work fails", async () => {
    const work = sql.begin(async (tx) => {
      await tx`insert into note values (1)`;
      throw new Error("changed its mind");
    });
    await expect(work).rejects.toThrow("changed its mind");
    expect(await notes()).toEqual([]);
  });

  it("fails with the first statement that fails, also where its work caught it", async () => {
    const work = sql.begin(async (tx) => {
      await tx`insert into note values (1)`;
      await tx`insert into note values (1)`.catch(() => "ignored");
      await tx`select 1`.catch(() => "ignored");
    });
    expect(sqlState(await work.catch((error) => error))).toBe("23505");
    expect(await notes()).toEqual([]);
  });

  it("tells of statements that travel together the first that failed", async () => {
    const work = sql.begin((tx) => Promise.all([tx`select 1`, tx`select 1 / 0`, tx`insert into note values (1)`]));
    expect(sqlState(await work.catch((error) => error))).toBe("22012");
    expect(await notes()).toEqual([]);
  });

  it("runs nothing that travels with a begin that fails", async () => {
    const work = sql.begin("isolation level of none", (tx) => tx`insert into note values (1)`);
    expect(sqlState(await work.catch((error) => error))).toBe("42601");
    expect(await notes()).toEqual([]);
  });

  it("commits what its work gave without waiting, or fails with it", async () => {
    const give = (tx: Tx, ...ids: readonly number[]): "given" => {
      for (const id of ids) void tx`insert into note values (${id})`.execute();
      return "given";
    };
    expect(await sql.begin(async (tx) => give(tx, 1, 2))).toBe("given");
    expect(sqlState(await sql.begin(async (tx) => give(tx, 3, 1, 4)).catch((error) => error))).toBe("23505");
    const dividing = sql.begin(async (tx) => void tx`select 1 / 0`.execute());
    expect(sqlState(await dividing.catch((error) => error))).toBe("22012");
    expect(await notes()).toEqual([1, 2]);
  });

  it("prepares a statement anew that failed, or was passed over, when it was first sent", async () => {
    const insert = (tx: Tx) => tx`insert into note values (5) returning id`;
    const work = sql.begin((tx) => Promise.all([tx`select 1 / 0 as first`, insert(tx)]));
    expect(sqlState(await work.catch((error) => error))).toBe("22012");
    const twice = sql.begin((tx) => Promise.all([insert(tx), insert(tx)]));
    expect(sqlState(await twice.catch((error) => error))).toBe("23505");
    expect([...(await sql.begin(insert))]).toEqual([{ id: 5 }]);
  });

  it("fails when it is refused at its commit", async () => {
    const work = sql.begin((tx) => tx`insert into note values (1, 2)`);
    expect(sqlState(await work.catch((error) => error))).toBe("23503");
    expect(await notes()).toEqual([]);
  });

  it("fails when PostgreSQL answers its commit with a rollback", async () => {
    const given: string[] = [];
    const join = async ({ text }: { readonly text: string }) => {
      given.push(text);
      return { rows: [], rowCount: 0, command: text === "commit" ? "ROLLBACK" : "" };
    };
    const transaction = new Transaction({ join, lost: new AbortController().signal });
    await expect(transaction.complete("", async () => "done")).rejects.toThrow("rolled back instead of committed");
    expect(given).toEqual(["begin ", "commit", "rollback"]);
  });

  it("takes no statement once it is done", async () => {
    let kept: Tx | undefined;
    await sql.begin(async (tx) => {
      kept = tx;
      await tx`select 1`;
    });
    const tx = kept as Tx;
    await expect((async () => await tx`insert into note values (1)`)()).rejects.toThrow("that is done");
    expect(await notes()).toEqual([]);
  });

  it("has the isolation that it asks for", async () => {
    const level = await sql.begin(
      "isolation level repeatable read read only",
      (tx) =>
        tx`select current_setting('transaction_isolation') as level, current_setting('transaction_read_only') as r`,
    );
    expect(level).toEqual([{ level: "repeatable read", r: "on" }]);
  });

  it("keeps the order in which statements were given", async () => {
    const found = await sql.begin((tx) =>
      Promise.all(Array.from({ length: 300 }, (_, id) => tx`insert into note values (${id}) returning id`)),
    );
    expect(found.flat()).toEqual(Array.from({ length: 300 }, (_, id) => ({ id })));
  });
});

describe("a statement whose tables were altered since it was prepared", () => {
  it("runs all the same, and the next ones too", async () => {
    const read = () => sql`select * from kept`;
    await sql`create table kept (a int)`;
    await read();
    await sql`alter table kept add column b int`;
    await sql`insert into kept values (1, 2)`;
    for (let turn = 0; turn < 3; turn += 1) expect(await read()).toEqual([{ a: 1, b: 2 }]);
    await sql`drop table kept`;
  });
});

it("a statement that PostgreSQL refuses is told with the place that wrote it", async () => {
  const error = await sql`select nothing`.catch((failure) => failure);
  expect(error).toMatchObject({ stack: expect.stringContaining("transaction.test.ts") });
});
