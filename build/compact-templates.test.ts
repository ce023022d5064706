import { describe, expect, it } from "vitest";
import { compactCss, compactMarkup } from "./compact-templates.ts";

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
