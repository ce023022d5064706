import { describe, expect, it } from "vitest";
import { sizeFaults, sizeTable, withSizeTable } from "./size-table.ts";

const SIZES = [
  { name: "pay-qr.js", passed: true, size: 17_124, sizeLimit: 18_000 },
  { name: "widgets.js", passed: true, size: 23_950, sizeLimit: 24_000 },
];
const TEXT = withSizeTable("before\n<!-- sizes --><!-- /sizes -->\nafter\n", SIZES);

describe("the table of sizes", () => {
  it("says what each script weighs and may weigh", () => {
    expect(sizeTable(SIZES)).toBe(
      [
        "| Script, with all it needs | minified, gzip | at most |",
        "|---|--:|--:|",
        "| `pay-qr.js` | 17.1 KB | 18.0 KB |",
        "| `widgets.js` | 23.9 KB | 24.0 KB |",
      ].join("\n"),
    );
  });

  it("is written between its markers, again and again, and nowhere else", () => {
    expect(TEXT).toBe(`before\n<!-- sizes -->\n${sizeTable(SIZES)}\n<!-- /sizes -->\nafter\n`);
    expect(withSizeTable(TEXT, SIZES)).toBe(TEXT);
    expect(() => withSizeTable("no place", SIZES)).toThrow("<!-- sizes -->");
  });

  it("is right while no script is far from what it says", () => {
    expect(sizeFaults(TEXT, SIZES)).toEqual([]);
    const slightlyLarger = SIZES.map((size) => ({ ...size, size: size.size + 150 }));
    expect(sizeFaults(TEXT, slightlyLarger)).toEqual([]);
  });

  it.each([
    ["a script has grown", SIZES.map((size) => ({ ...size, size: size.size + 400 }))],
    ["a script has shrunk", SIZES.map((size) => ({ ...size, size: size.size - 400 }))],
    ["a script is new", [...SIZES, { name: "new.js", passed: true, size: 9_000, sizeLimit: 12_000 }]],
    ["a script is gone", SIZES.slice(1)],
  ])("is stale when %s", (_when, sizes) => {
    expect(sizeFaults(TEXT, sizes)).toEqual(["The README's table of sizes is stale: run npm run sizes."]);
  });
});

it("a script above its budget is named, with both sizes", () => {
  const sizes = SIZES.map((size) => (size.name === "pay-qr.js" ? { ...size, size: 18_001, passed: false } : size));
  expect(sizeFaults(withSizeTable(TEXT, sizes), sizes)).toEqual([
    "pay-qr.js has 18001 bytes with gzip; its budget is 18000.",
  ]);
});
