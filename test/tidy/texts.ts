import type { ESTree } from "rolldown/utils";
import { isTestCode, lineAt, type ProjectFile, visit } from "./project-files.ts";

/** The app and the elements, but for the shop of the demo, which is a merchant's own site in Spanish. */
const INTERFACE = /^(?:pwa|widgets(?!\/demo))\/.*\.ts$/;

const STYLE = /<style[\s\S]*?<\/style>/g;
const TAG = /<[^>]*>/g;
const ENTITY = /&\w+;/g;
/** Attributes that people read or hear. */
const SPOKEN = /\s(?:aria-label|aria-description|alt|label|placeholder|title)="([^"]*)/g;
/** Matches a sentence, or the beginning of one: names have no small second word. */
const SENTENCE = /^[¿¡]?\p{Lu}\p{Ll}*[ ,]+\p{Ll}+/u;
/** The product's name is the same in every language. */
const NAME = /\bCupo\b/g;

/** The texts of a template: those between its tags, and those of attributes. */
function textsOf({ quasi }: ESTree.TaggedTemplateExpression): readonly string[] {
  const markup = quasi.quasis.map(({ value }) => value.cooked ?? "").join("…");
  const plain = markup.replace(STYLE, "");
  const spoken = [...plain.matchAll(SPOKEN)].map(([, text = ""]) => text);
  return [plain.replace(TAG, " "), ...spoken].map((text) => text.replace(ENTITY, " ").replace(NAME, " "));
}

/** Lists the texts that people read or hear and that are not among the words of the languages. */
export function textFaults(file: ProjectFile): readonly string[] {
  if (!INTERFACE.test(file.path) || isTestCode(file.path)) return [];
  const faults: string[] = [];
  const forDevelopers = new Set<ESTree.Node>();
  const add = (start: number, text: string): void => {
    const line = lineAt(file.text, start);
    faults.push(`${file.path}:${line} says "${text.trim()}": write it in src/language, in each language`);
  };
  visit(file, {
    NewExpression: ({ arguments: given }) => {
      for (const argument of given) forDevelopers.add(argument);
    },
    Literal: (node) => {
      const { start, value } = node;
      if (typeof value === "string" && !forDevelopers.has(node) && SENTENCE.test(value)) add(start, value);
    },
    TaggedTemplateExpression: (node) => {
      if (node.tag.type !== "Identifier" || node.tag.name !== "html") return;
      for (const text of textsOf(node)) if (/\p{L}/u.test(text)) add(node.start, text);
    },
  });
  return faults;
}
