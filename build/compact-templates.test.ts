import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RolldownPlugin, rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { compactCss, compactMarkup, compactTemplates } from "./compact-templates.ts";

const WHOLE = { isFirst: true, isLast: true };
const INNER = { isFirst: false, isLast: false };

describe("compact markup", () => {
  it.each([
    ["\n  <p>a</p>\n  <p>b</p>\n", "<p>a</p><p>b</p>"],
    ["<p>a</p> <p>b</p>", "<p>a</p> <p>b</p>"],
    ["<p>one\n   two</p>", "<p>one two</p>"],
    ['<a href="/x"\n   class="y"\n  >z</a>', '<a href="/x" class=y>z</a>'],
    ['<path d="M1 2\n    3 4"/>', '<path d="M1 2 3 4"/>'],
    ['<p class="a b" part="c"><br class="d"/>', '<p class="a b" part=c><br class="d"/>'],
  ])("of %j is %j", (markup, compact) => {
    expect(compactMarkup(markup, WHOLE)).toBe(compact);
  });

  it.each([
    ["\n    ", ""],
    ["\n  <p>", "<p>"],
    ["</p>\n  ", "</p>"],
    ["\n  words", " words"],
    ["words\n  ", "words "],
    ["\n  lang=", " lang="],
    ['"\n  ', '" '],
    [" <b>", " <b>"],
  ])("between two values: %j is %j", (markup, compact) => {
    expect(compactMarkup(markup, INNER)).toBe(compact);
  });
});

describe("a compact style", () => {
  it("has no comment and no needless space", () => {
    const css = `
      /* why */
      :host([hidden]) > *,
      p {
        margin: 0.5em -0.25em !important;
        font: 15px / 1.4 serif;
        width: calc(100% - 2px + 10.05px);
      }
    `;
    expect(compactCss(css)).toBe(
      ":host([hidden])>*,p{margin:.5em -.25em!important;font:15px/1.4 serif;width:calc(100% - 2px + 10.05px)}",
    );
  });
});

type Html = (texts: TemplateStringsArray, ...values: unknown[]) => unknown;

describe("a source with templates", () => {
  async function build(source: (html: Html, a: string) => unknown, place = "widgets"): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "cupo-templates-"));
    try {
      mkdirSync(join(folder, place));
      const input = join(folder, place, "x.ts");
      writeFileSync(input, `export const x = ${source};`);
      const bundle = await rolldown({ input, plugins: [compactTemplates() as unknown as RolldownPlugin] });
      const { output } = await bundle.generate({ format: "es" });
      await bundle.close();
      return output[0].code;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it("is made compact also where templates stand in templates, and behind letters of two bytes", async () => {
    const code = await build((html, a) => [
      "ñandú 🪙",
      html`
        <p>
          ${html`
            <b>
              ${a}
            </b>`}
        </p>`,
    ]);
    const [outer, inner] = [/`<p>\$\{/, /`<b>\$\{a\}<\/b>`\}<\/p>`/];
    expect(code).toMatch(outer);
    expect(code).toMatch(inner);
    expect(code).toContain("ñandú 🪙");
  });

  it("has a style sheet as a text without its tag", async () => {
    const code = await build(
      (css) => css`
        p {
          margin: 0;
        }`,
    );
    expect(code).toContain("(css) => `p{margin:0}`");
  });

  it("of the app has compact style sheets of Lit's own, and its markup as it is", async () => {
    const source = (html: Html) => [
      html`
        <p class="a"></p>`,
      html`
        <b></b>`,
    ];
    const css = (css: Html) => css`
      p {
        margin: 0;
      }`;
    expect(await build(css, "pwa")).toContain("(css) => css`p{margin:0}`");
    expect(await build(source, "pwa")).toContain('\n        <p class="a"></p>');
  });
});
