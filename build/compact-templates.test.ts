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
    ['<a href="/x"\n   class="y"\n  >z</a>', '<a href="/x" class="y">z</a>'],
    ['<path d="M1 2\n    3 4"/>', '<path d="M1 2 3 4"/>'],
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
    expect(compactCss(css, WHOLE)).toBe(
      ":host([hidden])>*,p{margin:.5em -.25em!important;font:15px/1.4 serif;width:calc(100% - 2px + 10.05px)}",
    );
  });

  it("keeps the space around a value", () => {
    expect(compactCss(" solid ", INNER)).toBe(" solid ");
  });
});

type Html = (texts: TemplateStringsArray, ...values: unknown[]) => unknown;

describe("a source with templates", () => {
  async function build(source: (html: Html, a: string) => unknown): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "cupo-templates-"));
    try {
      mkdirSync(join(folder, "widgets"));
      const input = join(folder, "widgets/x.ts");
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

  it.each([
    (html: Html, a: string) => html`<textarea>${a}</textarea>`,
    (html: Html, a: string) => html`<title data-x=${a}>of ${a}</title>`,
    (html: Html, a: string) => html`<!-- ${a} -->`,
    (html: Html, a: string) => html`<${a}>`,
    (html: Html, a: string) => html`<p class="x > y" ${a}></p>`,
    (html: Html, a: string) => html`<p title=${a} data-${a}="x"></p>`,
    (html: Html, a: string) => html`<input value=${a}/>`,
  ])("is refused where a value stands at a place for which the scripts' Lit takes none: %s", async (source) => {
    await expect(build(source)).rejects.toThrow("A value (§) stands where");
  });

  it("may have a value in any attribute and between tags", async () => {
    const source = (html: Html, a: string) =>
      html`<p id="x" class="a ${a}" title=${a} lang="${a}">${a}<br />1 > 0 ${a}`;
    expect(await build(source)).toContain("<br />");
  });

  it("may set what a text field holds by its property", async () => {
    expect(await build((html, a) => html`<textarea title=">" .value=${a}></textarea>`)).toContain("</textarea>");
  });
});
