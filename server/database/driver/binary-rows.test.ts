import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { sqlState } from "../classify-database-error.ts";
import { connect, type Sql } from "../connect.ts";
import { type BinaryColumn, binaryRows } from "./binary-rows.ts";

const TYPES = [
  "bigint",
  "bigint[]",
  "boolean",
  "bytea",
  "date",
  "integer",
  "integer[]",
  "json",
  "numeric",
  "smallint",
  "text",
  "timestamptz",
  "uuid",
] as const;
const COLUMNS: readonly BinaryColumn[] = TYPES.map((type) => ({ property: type, type }));
const COPY = `copy sample (${TYPES.map((type) => `"${type}"`)}) from stdin (format binary)`;

const LEAST = {
  bigint: -(2n ** 63n),
  "bigint[]": [],
  boolean: false,
  bytea: Buffer.alloc(0),
  date: "0001-01-01",
  integer: -(2 ** 31),
  "integer[]": [],
  json: "0",
  numeric: -(10n ** 40n),
  smallint: -(2 ** 15),
  text: "",
  timestamptz: new Date("1900-01-01T00:00:00.001Z"),
  uuid: "00000000-0000-0000-0000-000000000000",
};
const GREATEST = {
  bigint: 2n ** 63n - 1n,
  "bigint[]": [2n ** 63n - 1n, -(2n ** 63n), 0n],
  boolean: true,
  bytea: Buffer.from([0, 255]),
  date: "9999-12-31",
  integer: 2 ** 31 - 1,
  "integer[]": [2 ** 31 - 1, -(2 ** 31), 0],
  json: '{"a":"\\ud800\\u0000", "a":1.10}',
  numeric: 12_345_678_900_000_000n,
  smallint: 2 ** 15 - 1,
  text: `${"ñ€𝄞".repeat(50_000)}\n\\N\t"`,
  timestamptz: new Date("9999-12-31T23:59:59.999Z"),
  uuid: "ffffffff-ffff-4fff-bfff-0123456789ab",
};
const ZERO = {
  ...LEAST,
  bigint: 0n,
  date: "2000-01-01",
  numeric: 0n,
  integer: -1,
  timestamptz: new Date("2000-01-01T00:00:00Z"),
};
const NULLS = Object.fromEntries(TYPES.map((type) => [type, null]));

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 1, applicationName: "copy test" });
  const columns = TYPES.map((type) => `"${type}" ${type}`);
  await sql.unsafe(`create table sample (id int generated always as identity, ${columns}, unique (uuid))`);
});
beforeEach(async () => {
  await sql`truncate sample`;
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

async function uuids(): Promise<readonly unknown[]> {
  return (await sql<{ uuid: string }[]>`select uuid from sample order by id`).map(({ uuid }) => uuid);
}

describe("copied rows", () => {
  it("hold every type's least and greatest value, zero and null", async () => {
    const records = [LEAST, GREATEST, { ...ZERO, uuid: GREATEST.uuid.replace("f", "0") }, NULLS];
    expect(await sql.copy(COPY, binaryRows(COLUMNS, records))).toHaveProperty("count", records.length);
    const rows = await sql`select ${sql([...TYPES])} from sample order by id`;
    expect([...rows]).toEqual(records.map((record) => ({ ...record, numeric: record.numeric?.toString() ?? null })));
  });

  it("hold a uuid in capitals as any other", async () => {
    await sql.copy(COPY, binaryRows(COLUMNS, [{ ...GREATEST, uuid: GREATEST.uuid.toUpperCase() }]));
    expect(await uuids()).toEqual([GREATEST.uuid]);
  });

  it("are any number", async () => {
    await sql`create temp table many (id bigint, uuid uuid, flag boolean)`;
    const records = Array.from({ length: 50_000 }, (_, id) => ({ id: BigInt(id), uuid: LEAST.uuid, flag: true }));
    const columns = [
      { property: "id", type: "bigint" },
      { property: "uuid", type: "uuid" },
      { property: "flag", type: "boolean" },
    ] as const;
    await sql.copy("copy many from stdin (format binary)", binaryRows(columns, records));
    const [found] = await sql`select count(distinct id)::int, max(id), bool_and(flag) as flags from many`;
    expect(found).toEqual({ count: 50_000, max: 49_999n, flags: true });
  });

  it.each([
    ["bigint", 2n ** 63n],
    ["integer", 2 ** 31],
    ["integer[]", [1.5]],
    ["bigint[]", [null]],
    ["smallint", 2 ** 15],
    ["integer", 0.5],
    ["smallint", Number.NaN],
    ["date", "2026-02-30"],
    ["timestamptz", new Date("never")],
    ["uuid", "00000000000000000000000000000000"],
    ["uuid", "00000000-0000-0000-0000-00000000000g"],
    ["uuid", "00000000-0000-0000-0000-0000000000\u01300"],
    ["uuid", "00000000-0000-0000-000000000-0000000"],
    ["uuid", "{0000000-0000-0000-0000-000000000000"],
    ["text", undefined],
  ])("are not written with a %s that is none", (type, value) => {
    expect(() => binaryRows(COLUMNS, [{ ...LEAST, [type]: value }])).toThrow(Error);
  });

  it("that PostgreSQL refuses leave nothing, and the connection sound", async () => {
    const copy = (...records: readonly object[]) => sql.copy(COPY, binaryRows(COLUMNS, records));
    const states = [
      await copy(LEAST, GREATEST, LEAST).catch(sqlState),
      await copy({ ...LEAST, json: "{" }).catch(sqlState),
      await sql.copy("copy missing from stdin", Buffer.from("1\n")).catch(sqlState),
    ];
    expect(states).toEqual(["23505", "22P02", "42P01"]);
    await copy(GREATEST);
    expect(await uuids()).toEqual([GREATEST.uuid]);
  });

  it("travel with the other statements of their transaction, and fail with them", async () => {
    await sql.begin(async (tx) => {
      const given = [tx.copy(COPY, binaryRows(COLUMNS, [LEAST])), tx.copy(COPY, binaryRows(COLUMNS, [GREATEST]))];
      await Promise.all([tx`select 1`, ...given, tx`select 1`]);
    });
    const work = sql.begin(async (tx) => {
      await Promise.all([tx`delete from sample`, tx.copy(COPY, binaryRows(COLUMNS, [LEAST, LEAST])), tx`select 1`]);
    });
    expect(sqlState(await work.catch((error) => error))).toBe("23505");
    expect(await uuids()).toEqual([LEAST.uuid, GREATEST.uuid]);
  });
});
