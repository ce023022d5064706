import type { Plugin } from "vite";
import { type Edit, editSource } from "./edit-source.ts";

/** The text of a template between two of its values, as ESTree has it. */
interface TemplateText {
  readonly start: number;
  readonly value: { readonly raw: string };
}

/** Where a text stands in its template: values are before and after the inner ones. */
interface Place {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const COMPACTED: Readonly<Record<string, (text: string, place: Place) => string>> = Object.freeze({
  css: compactCss,
  html: compactMarkup,
  svg: compactMarkup,
});

/**
 * Takes the indentation out of the elements' styles and markup: minifiers leave template literals as they are, which
 * would cost every page half a kilobyte, and every element a text node for each line.
 */
export function compactTemplates(): Plugin {
  return {
    name: "cupo:compact-templates",
    apply: "build",
    transform: {
      filter: { id: /[\\/]widgets[\\/].*\.ts$/, code: /\b(?:css|html|svg)`/ },
      handler(code) {
        return editSource(code, templateEdits(code, this.parse(code)));
      },
    },
  };
}

function templateEdits(code: string, node: unknown): readonly Edit[] {
  if (typeof node !== "object" || node === null) return [];
  const inner = Object.values(node).flatMap((child) => templateEdits(code, child));
  const { type, tag, quasi } = node as { type?: string; tag?: { name?: string }; quasi?: { quasis: TemplateText[] } };
  const compact = type === "TaggedTemplateExpression" ? COMPACTED[tag?.name ?? ""] : undefined;
  if (compact === undefined || quasi === undefined) return inner;
  const last = quasi.quasis.length - 1;
  const own = quasi.quasis.flatMap((text, index) => {
    const { raw } = text.value;
    const start = code.indexOf(raw, text.start);
    const compacted = compact(raw, { isFirst: index === 0, isLast: index === last });
    return compacted === raw ? [] : [{ start, end: start + raw.length, text: compacted }];
  });
  return [...inner, ...own];
}

/** Writes a style sheet, or a piece of one, without comments and needless space. */
export function compactCss(css: string, { isFirst, isLast }: Place): string {
  const compacted = css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,/]) ?/g, "$1")
    .replace(/: /g, ":")
    .replace(/;\}/g, "}")
    .replace(/ > /g, ">")
    .replace(/ !important/g, "!important")
    .replace(/(?<![\d.])0\./g, ".");
  const ahead = isFirst ? compacted.trimStart() : compacted;
  return isLast ? ahead.trimEnd() : ahead;
}

/**
 * Writes markup as JSX reads it: a line break with its indentation is nothing between tags and values, and one space
 * between words or attributes. Where a space must stay between two tags, they stand on one line.
 */
export function compactMarkup(markup: string, { isFirst, isLast }: Place): string {
  return markup.replace(/\s*\n\s*/g, (gap: string, at: number) => {
    const before = markup[at - 1] ?? (isFirst ? ">" : "}");
    const after = markup[at + gap.length] ?? (isLast ? "<" : "$");
    const opens = before === ">" || before === "}";
    return after === ">" || (opens && (after === "<" || after === "$")) ? "" : " ";
  });
}
