import { posix } from "node:path";
import { importsIn, targetOf } from "./imports.ts";
import { isTestCode, linesOf, type ProjectFile, REWRITTEN_NEXT, visit } from "./project-files.ts";

/** A small file that could be a function of the one file that imports it. */
export interface OneImporterFile {
  readonly file: ProjectFile;
  readonly importer: ProjectFile;
}

/** A file of as many lines earns its place with one function. */
const OWN_FILE_LINES = 40;

/** Concerns that are looked for by their names, however small. */
const NAMED_CONCERNS: readonly string[] = [
  "server/broker/merchants/recharges/till-limits.ts",
  "server/broker/payments/approvals/approve-transfer.ts",
  "server/broker/upstream/breaker.ts",
  "server/webhooks/signed-headers.ts",
];

/** Handlers are found by their operations: each has a file named after its own. */
const HANDLERS = /-handlers\.ts$/;

/**
 * The files below 40 lines that export one function, and else types at most, and that one other file of their folder
 * imports. A file stays that has tests of its own, is loaded as a script of its own, or handles one operation.
 */
export function oneImporterFiles(files: readonly ProjectFile[]): readonly OneImporterFile[] {
  const scripts = files.filter(({ path }) => /(?<!\.d)\.ts$/.test(path));
  const code = scripts.filter(({ path }) => !isTestCode(path));
  const importers = importersOf(code);
  const tested = importersOf(scripts.filter(({ path }) => isTestCode(path)));
  return code.flatMap((file) => {
    const [importer, ...others] = importers.get(file.path) ?? [];
    if (importer === undefined || others.length > 0 || REWRITTEN_NEXT.test(file.path)) return [];
    if (tested.has(file.path) || HANDLERS.test(importer.path) || NAMED_CONCERNS.includes(file.path)) return [];
    if (posix.dirname(importer.path) !== posix.dirname(file.path)) return [];
    return linesOf(file).length < OWN_FILE_LINES && exportsOneFunction(file) ? [{ file, importer }] : [];
  });
}

/** Each path and the files that import it; none for the path of a script of its own. */
function importersOf(code: readonly ProjectFile[]): ReadonlyMap<string, ReadonlySet<ProjectFile>> {
  const importers = new Map<string, Set<ProjectFile>>();
  const ownScripts = new Set<string>();
  for (const file of code) {
    for (const { specifier, isOwnScript } of importsIn(file).filter((found) => found.specifier.startsWith("."))) {
      const target = targetOf(file.path, specifier);
      if (isOwnScript) ownScripts.add(target);
      importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  for (const path of ownScripts) importers.delete(path);
  return importers;
}

/** True if the one value that a file exports is a function, written as a declaration or an arrow. */
function exportsOneFunction(file: ProjectFile): boolean {
  const entries = file.parsed?.module.staticExports.flatMap((statement) => statement.entries) ?? [];
  const [name, ...others] = new Set(entries.filter(({ isType }) => !isType).map(({ exportName }) => exportName.name));
  const functions = new Set<string | undefined>();
  visit(file, {
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration?.type === "FunctionDeclaration") functions.add(declaration.id?.name);
      for (const { id, init } of declaration?.type === "VariableDeclaration" ? declaration.declarations : []) {
        if (id.type === "Identifier" && init?.type === "ArrowFunctionExpression") functions.add(id.name);
      }
    },
  });
  return typeof name === "string" && others.length === 0 && functions.has(name);
}
