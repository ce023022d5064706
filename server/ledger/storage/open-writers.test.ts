import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { holdTransaction } from "../../../test/support/held-transaction.ts";
import { connect, type Sql } from "../../database/connect.ts";
import { oldestOpen, tellOpen } from "./open-writers.ts";

const EARLY = new Date("2026-01-31T10:00:00.700Z");
const LATE = new Date("2060-01-31T10:00:00.700Z");

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 4, applicationName: "open writers test" });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

describe("the oldest writer that is open", () => {
  it("is told to the second, until its transaction ends", async () => {
    expect(await oldestOpen(sql)).toBeUndefined();
    const endLate = await holdTransaction(sql, (tx) => tellOpen(tx, LATE));
    expect(await oldestOpen(sql)).toEqual(new Date("2060-01-31T10:00:00.000Z"));
    const endEarly = await holdTransaction(sql, (tx) => tellOpen(tx, EARLY));
    expect(await oldestOpen(sql)).toEqual(new Date("2026-01-31T10:00:00.000Z"));
    await endEarly();
    expect(await oldestOpen(sql)).toEqual(new Date("2060-01-31T10:00:00.000Z"));
    await endLate();
    expect(await oldestOpen(sql)).toBeUndefined();
  });

  it("is told to a role that sees nothing of others in pg_stat_activity", async () => {
    const role = sql(`stranger_${process.pid}`);
    await sql`create role ${role}`;
    const end = await holdTransaction(sql, (tx) => tellOpen(tx, EARLY));
    const seen = await sql.begin(async (tx) => {
      await tx`set local role ${role}`;
      return oldestOpen(tx as Sql);
    });
    expect(seen).toEqual(new Date("2026-01-31T10:00:00.000Z"));
    await end();
    await sql`drop role ${role}`;
  });

  it("is none of another database, and no other advisory lock", async () => {
    const other = await aDatabase();
    const otherSql = connect(other.url, { max: 1, applicationName: "open writers test" });
    const ends = [
      await holdTransaction(otherSql, (tx) => tellOpen(tx, EARLY)),
      await holdTransaction(sql, (tx) => tx`select pg_advisory_xact_lock(1), pg_advisory_xact_lock(1, 1)`),
    ];
    expect(await oldestOpen(sql)).toBeUndefined();
    for (const end of ends) await end();
    await otherSql.end();
    await other.drop();
  });
});
