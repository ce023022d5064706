import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExactJson } from "./parse-exact-json.ts";
import { parseStrictJson, UnfitJsonError } from "./strict-json.ts";

function repeatedIn(text: string): string | undefined {
  try {
    parseStrictJson(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnfitJsonError)) throw error;
    expect(error.message).toMatch(/^The body has a name twice in one object: send each name once\.$/);
    return error.repeated;
  }
}

describe("a name twice in one object", () => {
  it.each([
    ['{"amount":5,"amount":5000}', "/amount"],
    ['{"amount":5,"\\u0061mount":5}', "/amount"],
    ['{"a":[0,{"b":{"c":1,"d":{},"c":1}}]}', "/a/1/b/c"],
    ['[{"a":1},{"a":1,"a":2}]', "/1/a"],
    ['{"x":{"a":1,"a":2},"x":1}', "/x/a"],
    ['{"__proto__":1,"__proto__":{}}', "/__proto__"],
    ['{"constructor":1, "b":2, "constructor":3}', "/constructor"],
    ['{"":1,"":2}', "/"],
    ['{"a/b~":1,"a/b~":2}', "/a~1b~0"],
    ['{"\\ud800":1,"\\ud800":2}', "/\ufffd"],
    ['{"\\\\":"}","\\"":1,"\\\\":1}', "/\\"],
  ])("is found in %s", (text, place) => {
    expect(repeatedIn(text)).toBe(place);
  });

  it.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"\\"a\\":1,\\"a\\":2"}',
    '{"a":1,"A":2,"a ":3,"\\u0430":4}',
    '{"__proto__":1,"toString":2,"constructor":3}',
    '{"//":1,"/*":2,"*/":3}',
  ])("is not found in %s", (text) => {
    expect(parseStrictJson(text)).toEqual(parseExactJson(text));
  });
});

it("reads whatever JSON.stringify writes, and finds a member that is added again anywhere", () => {
  const members = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 });
  fc.assert(
    fc.property(members, fc.nat(), (object, index) => {
      const text = JSON.stringify(object);
      expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      const names = Object.keys(object);
      const again = JSON.stringify(names[index % names.length]);
      expect(repeatedIn(`${text.slice(0, -1)},${again}:1}`)).toBeDefined();
      expect(repeatedIn(`[{"in":{${again}:1,${text.slice(1)}}]`)).toBeDefined();
    }),
  );
});

it("takes no part of the text for a comment, and no comma too many", () => {
  for (const text of ["{}//", "/**/{}", '{"a":1,}', "[1,]", "{a:1}", "{'a':1}"]) {
    expect(() => parseStrictJson(text)).toThrow(/^The body is not JSON/);
  }
});
