import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_LANGUAGE, languages } from "../src/language/languages.ts";
import { readFlags } from "./usage.ts";

/** The folder of all words: each language has one in it, and the tables connect them with the code that uses them. */
const FOLDER = "src/language";

/** The group whose parts are loaded one by one, and in one language, when they are needed. */
const LAZY_GROUP = "app";

const HEAD = "// Written by `npm run languages`: do not edit.";

/** A file of words, such as `pay-qr` of `elements`. */
interface Part {
  readonly group: string;
  readonly name: string;
}

function camelCase(name: string): string {
  return name.replace(/-./g, ([, letter = ""]) => letter.toUpperCase());
}

function pascalCase(name: string): string {
  return camelCase(`-${name}`);
}

function pathOf({ group, name }: Part, code: string): string {
  return `"../${code}/${group}/${name}.ts"`;
}

/** The import of a part's words in one language; a lazy part is only named by its type. */
function importOf(part: Part, code: string): readonly string[] {
  const path = pathOf(part, code);
  const type = `Words as ${pascalCase(part.name)}Words`;
  const words = `words as ${camelCase(part.name)}${pascalCase(code)}`;
  if (part.group === LAZY_GROUP) return code === DEFAULT_LANGUAGE ? [`import type { ${type} } from ${path};`] : [];
  return [`import { ${code === DEFAULT_LANGUAGE ? `type ${type}, ` : ""}${words} } from ${path};`];
}

/** The table of a part: its words in each language, or what loads them. */
function tableOf(part: Part, codes: readonly string[]): string {
  const isLazy = part.group === LAZY_GROUP;
  const type = `${isLazy ? "LoadByLanguage" : "ByLanguage"}<${pascalCase(part.name)}Words>`;
  const valueIn = (code: string): string =>
    isLazy ? `() => import(${pathOf(part, code)})` : `${camelCase(part.name)}${pascalCase(code)}`;
  return [
    `/** ${isLazy ? "Loads the words" : "The words"} of \`${part.name}\` in each language. */`,
    `export const ${camelCase(part.name)}Words: ${type} = {`,
    ...codes.map((code) => `  ${code}: ${valueIn(code)},`),
    "};\n",
  ].join("\n");
}

function fileOf(group: string, parts: readonly Part[], codes: readonly string[]): string {
  const imports = [
    `import type { ${group === LAZY_GROUP ? "LoadByLanguage" : "ByLanguage"} } from "../languages.ts";`,
    ...codes.flatMap((code) => parts.flatMap((part) => importOf(part, code))),
  ];
  const specifier = (line: string): string => line.slice(line.indexOf('"'));
  const sorted = imports.sort((one, other) => (specifier(one) < specifier(other) ? -1 : 1));
  const types = parts.map(({ name }) => `${pascalCase(name)}Words`);
  const exported = `export type { ${types.join(", ")} };\n`;
  return [HEAD, ...sorted, "", exported, parts.map((part) => tableOf(part, codes)).join("\n")].join("\n");
}

/**
 * Generates the sources `src/language/tables/GROUP.ts`, which give the code each part's words in every language, or the
 * imports that load them. Returns the source texts by path, one for each group of parts.
 */
export function languageTables(root: string): ReadonlyMap<string, string> {
  const original = join(root, FOLDER, DEFAULT_LANGUAGE);
  const codes = Object.keys(languages);
  return new Map(
    readdirSync(original).map((group) => {
      const files = readdirSync(join(original, group)).filter((file) => file.endsWith(".ts"));
      const parts = files.sort().map((file): Part => ({ group, name: file.slice(0, -".ts".length) }));
      return [`${FOLDER}/tables/${group}.ts`, fileOf(group, parts, codes)];
    }),
  );
}

if (import.meta.main) {
  readFlags({
    script: "languages",
    text: `Writes the tables of ${FOLDER}/tables, by which all parts get their words, from the languages' folders.`,
  });
  for (const [path, text] of languageTables(".")) writeFileSync(path, text);
}
