import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExactJson } from "../../src/parse-exact-json.ts";
import { canonicalJson } from "./canonical-json.ts";

function shuffled(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shuffled);
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, member]) => [key, shuffled(member)]));
}

describe("canonical JSON", () => {
  it("writes the example of RFC 8785 §3.2.3", () => {
    const text = `{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(text))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("sorts names by UTF-16 code units, as RFC 8785 §3.2.3 does", () => {
    const names = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"];
    const sorted = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\u{1f600}", "\ufb33"];
    const written = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
    expect(written).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(",")}}`);
  });

  it("keeps a number that no double holds as it was written", () => {
    expect(canonicalJson(parseExactJson('{"b":1e400,"a":0.1000000000000000055}'))).toBe(
      '{"a":0.1000000000000000055,"b":1e400}',
    );
    expect(canonicalJson({ rawJSON: "1" })).toBe('{"rawJSON":"1"}');
  });

  it("is the same for every order of names, and reads back as the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
