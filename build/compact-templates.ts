import { Visitor } from "rolldown/utils";
import type { Plugin } from "vite";
import { type Edit, editSource } from "./edit-source.ts";

/** Where a text stands in its template: values are before and after the inner ones. */
interface Place {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const COMPACTED: Readonly<Record<string, (text: string, place: Place) => string>> = Object.freeze({
  css: compactCss,
  html: compactMarkup,
});

/** The elements' sources, whose markup is made compact too, and whose style sheets are texts. */
const ELEMENT_SOURCE = /[\\/]widgets[\\/]/;

/**
 * Takes the indentation out of the elements' styles and markup, and out of the app's styles: minifiers leave template
 * literals as they are, which would cost every page half a kilobyte, past the budgets of three scripts.
 */
export function compactTemplates(): Plugin {
  return {
    name: "cupo:compact-templates",
    apply: "build",
    transform: {
      filter: { id: /[\\/](?:widgets|pwa)[\\/].*\.ts$/, code: /\b(?:css|html)`/ },
      handler(code, id) {
        const edits: Edit[] = [];
        const isElement = ELEMENT_SOURCE.test(id);
        const visitor = new Visitor({
          TaggedTemplateExpression({ tag, quasi: { quasis } }) {
            const compact = tag.type === "Identifier" ? COMPACTED[tag.name] : undefined;
            if (compact === undefined || (compact === compactMarkup && !isElement)) return;
            // A style sheet is then a text like any other, which the minifier joins with those beside it.
            if (compact === compactCss && isElement) edits.push({ start: tag.start, end: tag.end, text: "" });
            for (const [index, { start: near, value }] of quasis.entries()) {
              const start = code.indexOf(value.raw, near);
              const text = compact(value.raw, { isFirst: index === 0, isLast: index === quasis.length - 1 });
              if (text !== value.raw) edits.push({ start, end: start + value.raw.length, text });
            }
          },
        });
        visitor.visit(this.parse(code));
        return editSource(code, edits);
      },
    },
  };
}

/** Returns a style sheet without its comments and needless space. */
export function compactCss(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,/]) ?/g, "$1")
    .replace(/: /g, ":")
    .replace(/;\}/g, "}")
    .replace(/ > /g, ">")
    .replace(/ !important/g, "!important")
    .replace(/(?<![\d.])0\./g, ".")
    .trim();
}

/**
 * Returns markup without quotes that HTML does not need, and with only the space that JSX would keep: a line break with
 * its indentation is dropped between tags and values, and becomes one space between words or attributes. Where a space
 * must stay between two tags, they stand on one line.
 */
export function compactMarkup(markup: string, { isFirst, isLast }: Place): string {
  const compact = markup.replace(/\s*\n\s*/g, (gap: string, at: number) => {
    const before = markup[at - 1] ?? (isFirst ? ">" : "}");
    const after = markup[at + gap.length] ?? (isLast ? "<" : "$");
    const opens = before === ">" || before === "}";
    return after === ">" || (opens && (after === "<" || after === "$")) ? "" : " ";
  });
  return compact.replace(/="([\w-]+)"(?=[\s>])/g, "=$1");
}
