import { expect, it } from "vitest";
import { scriptFirst } from "./script-first.ts";

const { transformIndexHtml } = scriptFirst();
const handle = (page: string): unknown => Reflect.get(Object(transformIndexHtml), "handler").call(undefined, page);

it("the page's own script is asked for first, then what it imports, then everything else", () => {
  const [base, own] = ["base", "own"].map((name) => `<script type="module" crossorigin src="/${name}.js"></script>`);
  const rest = '<script src="/theme.js"></script>\n<link rel="stylesheet" href="/a.css">';
  const low = (script = ""): string => script.replace('"module"', '"module" fetchpriority="low"');
  expect(handle(`<head><meta charset="utf-8" />\n${rest}\n${base}\n${own}</head>`)).toBe(
    `<head><meta charset="utf-8" />\n${low(own)}\n${low(base)}\n${rest}</head>`,
  );
});

it("a page without a script is a mistake of the build", () => {
  expect(() => handle('<head><meta charset="utf-8" /></head>')).toThrow("no script");
});
