import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactNumber, quoteRounded } from "./exact-json.ts";
import { parseExactJson } from "./parse-exact-json.ts";

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

  test("every number is, wherever it stands", () => {
    const { json } = fc.letrec<{ json: string }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        spelledNumber,
        fc.constantFrom('"12345678901234567890"', '"a\\"1e400"', "true", "null"),
        fc.array(tie("json"), { maxLength: 4 }).map((items) => `[${items.join()}]`),
        fc
          .uniqueArray(fc.tuple(fc.constantFrom('"a"', '"b"', '"__proto__"', '"\\""'), tie("json")), {
            selector: ([name]) => name,
          })
          .map((fields) => `{${fields.map(([name, value]) => `${name}:${value}`).join()}}`),
      ),
    }));
    const values = (text: string) =>
      text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : exactValue(token)));
    fc.assert(
      fc.property(json, (text) => {
        expect(values(JSON.stringify(parseExactJson(text)))).toBe(values(text));
      }),
      { numRuns: 2000 },
    );
  });

  test("of two fields with the same name the later counts, as ever", () => {
    expect(JSON.stringify(parseExactJson('{"a":{"b":1e400},"a":5}'))).toBe('{"a":5}');
    expect(JSON.stringify(parseExactJson('{"a":1e400,"a":[2]}'))).toBe('{"a":[2]}');
    expect(JSON.stringify(parseExactJson('{"a":1,"a":1e400}'))).toBe('{"a":1e400}');
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
