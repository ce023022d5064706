import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TOKENS } from "../../widgets/shared/base-styles.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** A colour with six digits: `#fff` is `#ffffff`. */
function inFull(colour: string): string {
  return colour.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
}

/** The tokens of a style sheet that have a light and a dark colour, by their name in the look. */
function tokensOf(sheet: string): ReadonlyMap<string, readonly string[]> {
  const found = sheet.matchAll(/--(?:cupo-)?([\w-]+):[^;]*?light-dark\((#\w+), (#\w+)\)/g);
  return new Map([...found].map(([, name = "", light = "", dark = ""]) => [name, [inFull(light), inFull(dark)]]));
}

const tokens = tokensOf(read("pwa/design/base.css"));

test("app and elements have the same tokens", () => {
  expect(tokens.size).toBe(10);
  expect(tokensOf(TOKENS)).toEqual(tokens);
});

test("the reference has those of their tokens that it uses", () => {
  const used = tokensOf(read("server/http/docs-page.ts"));
  expect(used.size).toBe(7);
  for (const [name, colours] of used) expect([name, colours]).toEqual([name, tokens.get(name)]);
});

test.each(["index.html", "pwa/settings/settings.ts"])(
  "the browser's own bars have the paper's colours in %s",
  (path) => {
    const colours = read(path).match(/(?<=content="|(?:light|dark): ")#[0-9a-f]{6}/g);
    expect(colours).toEqual(tokens.get("paper"));
  },
);

test("the installed app starts on the paper's colour", () => {
  const { background_color: ground, theme_color: bar } = JSON.parse(read("pwa/public/manifest.webmanifest"));
  expect([ground, bar]).toEqual([tokens.get("paper")?.[0], tokens.get("paper")?.[0]]);
});
