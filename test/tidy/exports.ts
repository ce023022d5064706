import type { ESTree } from "rolldown/utils";
import { lineAt, type ProjectFile, visit } from "./project-files.ts";

const DOCSTRING = /^\*[\s*]*[^\s*]/;
/** Stands between a docstring and its function: `@__NO_SIDE_EFFECTS__`. */
const ANNOTATION = /\/\* @__\w+__ \*\/\s*$/;

/**
 * The exports of a file without a docstring. Re-exports have that of their origin; a type beside its schema or table,
 * and a function with several signatures, share one; a contract row has the `summary` that OpenAPI shows.
 */
export function undocumentedExports(file: ProjectFile): readonly string[] {
  const docstrings = file.parsed?.comments.filter(({ value }) => DOCSTRING.test(value)) ?? [];
  const ends = new Set(docstrings.map(({ end }) => end));
  const rows = summarisedRows(file);
  const documented = new Set<string>();
  const bare: { name: string; line: number }[] = [];
  for (const { start, entries } of file.parsed?.module.staticExports ?? []) {
    const above = file.text.slice(0, start).replace(ANNOTATION, "").trimEnd();
    const hasSentence = rows.has(start) || ends.has(above.length);
    for (const { exportName, moduleRequest } of entries) {
      const name = exportName.name ?? "default";
      if (hasSentence) documented.add(name.toLowerCase());
      else if (moduleRequest === null) bare.push({ name, line: lineAt(file.text, start) });
    }
  }
  return bare
    .filter(({ name }) => !documented.has(name.toLowerCase()))
    .map(({ name, line }) => `${file.path}:${line} exports ${name} without a sentence: say above it what it is for`);
}

/** Where the exports begin whose value is a call with an object that has a `summary`. */
function summarisedRows(file: ProjectFile): ReadonlySet<number> {
  const rows = new Set<number>();
  visit(file, {
    ExportNamedDeclaration: ({ declaration, start }) => {
      if (declaration?.type !== "VariableDeclaration") return;
      const given = declaration.declarations.flatMap(({ init }) =>
        init?.type === "CallExpression" ? init.arguments : [],
      );
      if (given.some(hasSummary)) rows.add(start);
    },
  });
  return rows;
}

function hasSummary(given: ESTree.Node): boolean {
  if (given.type !== "ObjectExpression") return false;
  return given.properties.some(
    (property) => property.type === "Property" && property.key.type === "Identifier" && property.key.name === "summary",
  );
}
