import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactNumber, parseExactJson, quoteRounded } from "./exact-json.ts";

/** A number as JSON may spell it, far beyond what a double holds. */
const spelledNumber = fc.stringMatching(/^-?(?:0|[1-9]\d{0,25})(?:\.\d{1,25})?(?:[eE][+-]?\d{1,3})?$/);

/** The exact value of a spelled number: digits and exponent, without trailing zeros. */
function exactValue(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  let digits = BigInt(whole + fraction);
  let power = BigInt(exponent) - BigInt(fraction.length);
  if (digits === 0n) return "0";
  for (; digits % 10n === 0n; digits /= 10n) power += 1n;
  return `${sign}${digits}e${power}`;
}

describe("exact JSON", () => {
  test("every number is written back with the value that it was sent with", () => {
    fc.assert(
      fc.property(spelledNumber, (spelled) => {
        const written = JSON.stringify(parseExactJson(`{"n":${spelled}}`));
        return exactValue(written.slice(5, -1)) === exactValue(spelled);
      }),
      { numRuns: 5000 },
    );
  });

  test("everything but numbers is what JSON.parse makes of it", () => {
    fc.assert(
      fc.property(fc.json({ depthSize: "medium" }), (text) => {
        expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test.each(["0.1000000000000000055", "1e400", "12345678901234567890"])("%s is no number of ours", (text) => {
    expect(typeof parseExactJson(text)).toBe("object");
  });

  test.each(["", "{", "NaN", "01", "{'a':1}", '{"a":1,}'])("%j is a SyntaxError", (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });
});

describe("a number that a double would round", () => {
  test("goes out with every digit, and any other as it does", () => {
    expect(JSON.stringify([exactNumber("90071992547409.93"), exactNumber("25000.5")])).toBe(
      "[90071992547409.93,25000.5]",
    );
    expect(exactNumber("25000.5")).toBe(25_000.5);
  });

  test("is a string once it is quoted, and nothing else of the JSON changes", () => {
    const text =
      '{"a":90071992547409.93,"1":"90071992547409.93","b":[-1e400,1.50,0.1,{"\\"":12345678901234567890}],"c":-0}';
    expect(JSON.parse(quoteRounded(text))).toEqual({
      ...{ a: "90071992547409.93", 1: "90071992547409.93" },
      ...{ b: ["-1e400", 1.5, 0.1, { '"': "12345678901234567890" }], c: -0 },
    });
    fc.assert(
      fc.property(fc.json({ depthSize: "medium" }), (json) => {
        const quoted = quoteRounded(json);
        expect(JSON.stringify(JSON.parse(quoted))).toBe(JSON.stringify(JSON.parse(json)));
      }),
    );
  });
});
