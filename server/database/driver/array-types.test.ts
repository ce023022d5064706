import { afterAll, beforeAll, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { connect, type Sql } from "../connect.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 1, applicationName: "array types test" });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const TEXTS = ["plain", "", "NULL", 'a "quoted" \\ slash', "com,ma", "{brace}", " space ", "líne\nbreak", "ñ€😀"];

it("texts go in and come out as they were, also where they need quotes, as the first statement of a pool", async () => {
  expect(await sql`select ${TEXTS}::text[] as many`).toEqual([{ many: TEXTS }]);
  expect(await sql`select count(*) as found from unnest(${TEXTS}::text[]) t where t = any(${TEXTS})`).toEqual([
    { found: BigInt(TEXTS.length) },
  ]);
});

it("each element type comes out as its column does, and null as null", async () => {
  const [row] = await sql`select array[1, null]::int4[] as int4s, array[9007199254740993]::int8[] as int8s,
    array[true, false] as booleans, array['\\xff00']::bytea[] as bytes, array[1.10]::numeric[] as numerics,
    array['2026-01-31']::date[] as dates, array['2026-01-31T23:59:59.123Z']::timestamptz[] as instants,
    array['{"a": 1.0}']::jsonb[] as documents, '{}'::text[] as none`;
  expect(row).toEqual({
    int4s: [1, null],
    int8s: [9_007_199_254_740_993n],
    booleans: [true, false],
    bytes: [Buffer.from([255, 0])],
    numerics: ["1.10"],
    dates: ["2026-01-31"],
    instants: [new Date("2026-01-31T23:59:59.123Z")],
    documents: ['{"a": 1.0}'],
    none: [],
  });
});

it("ids, bytes, instants and numbers go in", async () => {
  const id = "01890a5d-ac96-774b-bcce-b302099a8057";
  const instant = new Date("2026-01-31T23:59:59.123Z");
  const [row] = await sql`select ${[id]}::uuid[] as ids, ${sql.array([new Uint8Array([1, 255])])}::bytea[] as bytes,
    ${sql.array([instant])}::timestamptz[] as instants, ${sql.array([1n, 2n])}::int8[] as numbers`;
  expect(row).toEqual({ ids: [id], bytes: [Buffer.from([1, 255])], instants: [instant], numbers: [1n, 2n] });
});
