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
        const tree = this.parse(code);
        const fault = templatesIn(tree)
          .map(faultOf)
          .find((found) => found !== undefined);
        if (fault !== undefined) this.error(`A value (§) stands where the scripts' Lit takes none: ${fault}`);
        return editSource(
          code,
          templatesIn(tree).flatMap((template) => editsOf(code, template)),
        );
      },
    },
  };
}

/** A template of a source: its tag, and its texts in their order. */
interface Template {
  readonly tag: string;
  readonly texts: readonly TemplateText[];
}

function templatesIn(node: unknown): readonly Template[] {
  if (typeof node !== "object" || node === null) return [];
  const inner = Object.values(node).flatMap(templatesIn);
  const { type, tag, quasi } = node as { type?: string; tag?: { name?: string }; quasi?: { quasis: TemplateText[] } };
  const isOurs = type === "TaggedTemplateExpression" && COMPACTED[tag?.name ?? ""] !== undefined;
  return isOurs ? [...inner, { tag: tag?.name ?? "", texts: quasi?.quasis ?? [] }] : inner;
}

/** Places where build/lean-lit.ts supports no value: comments, and the text of elements that hold nothing else. */
const CLOSED_TEXT = /<!--|<(?:script|style|textarea|title)\b(?:"[^"]*"|'[^']*'|[^>"'])*>[^<]*§/i;

/** Also a tag's own name, an attribute's, or what stands in place of one; and directly before a tag's slash. */
const CLOSED_TAG = /<\/?(?:[a-z](?:"[^"]*"|[^">])*?(?<!=))?§|§\/>/i;

function faultOf({ tag, texts }: Template): string | undefined {
  if (tag === "css") return undefined;
  const markup = texts.map(({ value }) => value.raw).join("§");
  return (CLOSED_TEXT.exec(markup) ?? CLOSED_TAG.exec(markup))?.[0];
}

function editsOf(code: string, { tag, texts }: Template): readonly Edit[] {
  return texts.flatMap(({ start: near, value: { raw } }, index) => {
    const start = code.indexOf(raw, near);
    const compacted = COMPACTED[tag]?.(raw, { isFirst: index === 0, isLast: index === texts.length - 1 }) ?? raw;
    return compacted === raw ? [] : [{ start, end: start + raw.length, text: compacted }];
  });
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
