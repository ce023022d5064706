import { parseSync } from "rolldown/utils";

/** Matches a text in which there is something to translate. */
const LETTER = /\p{L}/u;
const VOWEL = /[aeiou]/gi;
const ACCENTS: Readonly<Record<string, string>> = Object.freeze({ a: "á", e: "é", i: "í", o: "ó", u: "ú" });

/** A node of a source's tree, as TypeScript's ESTree has it. */
interface TreeNode {
  readonly type?: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
  readonly key?: { readonly name?: string };
  readonly quasis?: readonly (TreeNode & { readonly tail: boolean })[];
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Nodes whose texts are no words of the interface: types, and the specifiers of imports. */
const WITHOUT_WORDS = /^TS|^ImportDeclaration$/;

/** Doubles each vowel with an accent: texts grow by a third, as they do in some languages. */
function lengthened(text: string): string {
  return text.replace(VOWEL, (vowel) => {
    const accented = ACCENTS[vowel.toLowerCase()] ?? "";
    return vowel === vowel.toLowerCase() ? accented + vowel : accented.toUpperCase() + vowel.toLowerCase();
  });
}

/** Writes a text in the pseudo-language: `Pay now` becomes `[Páay nóow]`. */
function pseudoText(text: string): string {
  return LETTER.test(text) ? `[${lengthened(text)}]` : text;
}

/** The edits of a template: brackets around the whole of it, in which values stay as they are. */
function editsOfTemplate(source: string, { start, end, quasis = [] }: TreeNode): readonly Edit[] {
  // The ranges of the texts include their delimiters.
  const texts = quasis.map((quasi) => ({ start: quasi.start + 1, end: quasi.end - (quasi.tail ? 1 : 2) }));
  if (!texts.some((text) => LETTER.test(source.slice(text.start, text.end)))) return [];
  return [
    { start: start + 1, end: start + 1, text: "[" },
    ...texts.map((text) => ({ ...text, text: lengthened(source.slice(text.start, text.end)) })),
    { start: end - 1, end: end - 1, text: "]" },
  ];
}

function editsIn(source: string, node: unknown, dates: string): readonly Edit[] {
  if (typeof node !== "object" || node === null) return [];
  const tree = node as TreeNode;
  if (WITHOUT_WORDS.test(tree.type ?? "")) return [];
  const { start, end, key, type, value } = tree;
  if (type === "Literal" && typeof value === "string") return [{ start, end, text: JSON.stringify(pseudoText(value)) }];
  if (type === "Property") {
    return key?.name === "tag" ? [{ ...(value as Edit), text: JSON.stringify(dates) }] : editsIn(source, value, dates);
  }
  const own = type === "TemplateLiteral" ? editsOfTemplate(source, tree) : [];
  return [...own, ...Object.values(tree).flatMap((child) => editsIn(source, child, dates))];
}

/** Translates a file of words into the pseudo-language, which writes dates as another language does. */
export function pseudoSource(path: string, source: string, dates: string): string {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`);
  return editsIn(source, program, dates)
    .toSorted((one, other) => other.start - one.start || other.end - one.end)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), source);
}
