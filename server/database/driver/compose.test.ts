import { describe, expect, it } from "vitest";
import { compose } from "./compose.ts";
import { tagFor } from "./tag.ts";

/** Nothing here is ever sent. */
const sql = tagFor(() => Promise.reject(new Error("nothing runs here")));

describe("a statement", () => {
  it("has a number for each parameter, also within its parts", () => {
    const part = sql`b = ${"two"}`;
    expect(compose(sql`select ${1} where a = ${"one"} and ${part} ${sql``} limit ${3n}`)).toEqual({
      text: "select $1 where a = $2 and b = $3  limit $4",
      types: [0, 0, 0, 20],
      values: ["1", "one", "two", "3"],
      mode: "kept",
    });
  });

  it("takes a list of parts, one behind the other", () => {
    expect(compose(sql`select ${[sql`${1}`, sql`, ${2}`]}`).text).toBe("select  $1 , $2");
  });

  it.each([
    ["name", '"name"'],
    ["service.users", '"service"."users"'],
    ['a"; drop table b; --', '"a""; drop table b; --"'],
  ])("names %s as %s", (name, text) => {
    expect(compose(sql`select from ${sql(name)}`).text).toBe(`select from ${text}`);
  });

  it("lists names, and after `in` values", () => {
    expect(compose(sql`select ${sql(["a", "b"])} from c`).text).toBe('select "a","b" from c');
    expect(compose(sql`where a in ${sql(["x", "y"])}`)).toMatchObject({
      text: "where a in ($1,$2)",
      values: ["x", "y"],
    });
    expect(compose(sql`where a in ${sql([new Uint8Array([1])])}`)).toMatchObject({ types: [17] });
    expect(compose(sql`where a in ${sql([])}`).text).toBe("where a in (null)");
  });

  it("inserts records with the columns of the first, and updates to one", () => {
    const [first, second] = [
      { id: 1n, name: "Ana" },
      { name: "Ben", id: 2n },
    ];
    expect(compose(sql`insert into t ${sql([first, second])} returning id`)).toMatchObject({
      text: 'insert into t ("id","name")values($1,$2),($3,$4) returning id',
      values: ["1", "Ana", "2", "Ben"],
    });
    expect(compose(sql`update t set ${sql(first)} where id = ${3}`)).toMatchObject({
      text: 'update t set "id"=$1,"name"=$2 where id = $3',
      values: ["1", "Ana", "3"],
    });
  });

  it("may have a text of its own, with numbers for its parameters, and may be a script", () => {
    expect(compose(sql.unsafe("select $1", ["a"]))).toMatchObject({ text: "select $1", values: ["a"], mode: "once" });
    expect(compose(sql.unsafe("select $1", ["a"], { prepare: true })).mode).toBe("kept");
    expect(compose(sql.unsafe("select 1; select 2")).mode).toBe("script");
  });

  it("refuses more parameters than the protocol counts", () => {
    const many = sql(Array.from({ length: 65_536 }, () => "x"));
    expect(() => compose(sql`where a in ${many}`)).toThrow("65536 parameters");
  });
});

describe("a parameter", () => {
  const instant = new Date("2026-01-31T23:59:59.123Z");

  it.each([
    ["text", 0, "text"],
    [1.5, 0, "1.5"],
    [null, 0, null],
    [true, 16, "true"],
    [2n ** 63n - 1n, 20, "9223372036854775807"],
    [instant, 1184, "2026-01-31T23:59:59.123Z"],
    [new Uint8Array([0, 255]), 17, Buffer.from([0, 255])],
    [["a", null], 0, '{"a",NULL}'],
    [[1n], 1016, "{1}"],
    [[false], 1000, '{"false"}'],
    [[], 0, "{}"],
    [sql.array(["a"]), 1009, '{"a"}'],
    [sql.array([instant]), 1185, "{2026-01-31T23:59:59.123Z}"],
    [sql.array([]), 0, "{}"],
  ])("%o is sent as type %i, %o", (value, type, sent) => {
    expect(compose(sql`${value}`)).toMatchObject({ text: "$1", types: [type], values: [sent] });
  });

  it("that is undefined is refused rather than written as null", () => {
    const nothing = undefined as unknown as string;
    expect(() => compose(sql`select ${nothing}`)).toThrow("UNDEFINED_VALUE");
    expect(() => compose(sql`insert into t ${sql({ a: nothing })}`)).toThrow("UNDEFINED_VALUE");
  });
});
