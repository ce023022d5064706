import { posix } from "node:path";
import type { ESTree } from "rolldown/utils";
import { isTestCode, lineAt, type ProjectFile, visit } from "./project-files.ts";

/** A link to a file of the repository: `[words](path)`, `[`name`](path#heading)`. */
const LINK = /\[([^\][]+)\]\((?!\w+:)([^)#\s]+)(?:#[^)\s]*)?\)/g;
/** Names before the file that they stand in: "`A`, `B` in [c.ts](path)". */
const NAMES_IN_FILE = /((?:`[^`]+`(?:, )?)+) in \[[^\][]+\]\(([^)#\s]+)\)/g;
const FILE_NAME = /^[\w-]+(?:\.[\w-]+)*\.(?:ts|js|md|sql|json|html|css)$/;
const NAME = /^[A-Za-z]\w*$/;
const CODE_COLUMN = 3;
const LEDGER_TABLES = "server/ledger/model/tables.ts";

/** The files and folders of the repository by their paths. */
export type Places = ReadonlyMap<string, ProjectFile | undefined>;

/** Finds files and folders by their paths; a folder has no file. */
export function placesOf(files: readonly ProjectFile[]): Places {
  const places = new Map<string, ProjectFile | undefined>([[".", undefined]]);
  for (const file of files) {
    for (let path = posix.dirname(file.path); path !== "."; path = posix.dirname(path)) places.set(path, undefined);
    places.set(file.path, file);
  }
  return places;
}

function placeOf({ path }: ProjectFile, link: string): string {
  return posix.join(posix.dirname(path), link).replace(/\/$/, "");
}

function spans(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

/**
 * The names that a script declares: types, classes, functions, constants, members, texts that are types, and columns of
 * the ledger's tables.
 */
function declaredIn(file: ProjectFile): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (node: ESTree.Node | null) => node?.type === "Identifier" && names.add(node.name);
  const addKey = ({ key }: { readonly key: ESTree.Node }) => add(key);
  visit(file, {
    TSInterfaceDeclaration: ({ id }) => add(id),
    TSTypeAliasDeclaration: ({ id }) => add(id),
    ClassDeclaration: ({ id }) => add(id),
    FunctionDeclaration: ({ id }) => add(id),
    VariableDeclarator: ({ id }) => add(id),
    TSPropertySignature: addKey,
    TSMethodSignature: addKey,
    MethodDefinition: addKey,
    PropertyDefinition: addKey,
    Property: (property) => file.path === LEDGER_TABLES && addKey(property),
    TSLiteralType: ({ literal }) => literal.type === "Literal" && names.add(String(literal.value)),
  });
  return names;
}

/** True if these names have a name, or both parts of `Type.member`. */
function hasName(declared: ReadonlySet<string>, name: string): boolean {
  return name.split(".").every((part) => declared.has(part));
}

function linkFault(document: ProjectFile, places: Places, words: string, link: string): string | undefined {
  const place = placeOf(document, link);
  if (place.endsWith(".png")) return undefined;
  if (!places.has(place)) return `links to ${link}, which is not there`;
  const text = words.replaceAll("`", "");
  if (FILE_NAME.test(text) && text !== posix.basename(place)) return `calls ${link} ${text}`;
  const file = places.get(place);
  const isName = words.startsWith("`") && NAME.test(text) && file?.path.endsWith(".ts") === true;
  return isName && !hasName(declaredIn(file), text) ? `says that ${link} has ${text}` : undefined;
}

/** The links of a document that lead nowhere, name another file, or a name that the file does not declare. */
export function linkFaults(document: ProjectFile, places: Places): readonly string[] {
  return [...document.text.matchAll(LINK)].flatMap(({ 1: words = "", 2: link = "", index }) => {
    const fault = linkFault(document, places, words, link);
    return fault === undefined ? [] : [`${document.path}:${lineAt(document.text, index)} ${fault}`];
  });
}

/** The names in the Code column of the glossary that the sources do not declare, or not in the file that it names. */
export function glossaryFaults(glossary: ProjectFile, places: Places): readonly string[] {
  const code = [...places.values()].flatMap((file) =>
    file?.path.endsWith(".ts") === true && !isTestCode(file.path) ? [file] : [],
  );
  const declared = code.map(declaredIn);
  const names = new Set(code.map(({ path }) => posix.basename(path)));
  const tables = [...places.values()].flatMap((file) => (file?.path.endsWith(".sql") === true ? [file.text] : []));
  const exists = (name: string): boolean =>
    names.has(name) ||
    declared.some((known) => hasName(known, name)) ||
    tables.some((sql) => sql.includes(`create table ${name} `));
  return glossary.text.split("\n").flatMap((line, index) => {
    const cell = line.startsWith("| **") ? (line.split("|")[CODE_COLUMN] ?? "") : "";
    const missing = spans(cell).filter((name) => !exists(name));
    const elsewhere = [...cell.matchAll(NAMES_IN_FILE)].flatMap(([, names = "", link = ""]) => {
      const file = places.get(placeOf(glossary, link));
      return spans(names).filter((name) => file === undefined || !hasName(declaredIn(file), name));
    });
    return [...new Set([...missing, ...elsewhere])].map(
      (name) => `${glossary.path}:${index + 1} names ${name}, which is not in the sources, or not in that file`,
    );
  });
}
