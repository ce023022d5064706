import { lineAt, type ProjectFile } from "./project-files.ts";

const EXPORT =
  /^export\s+(?:declare\s+|abstract\s+|async\s+)*(?:const|let|function\*?|class|interface|type)\s+([\w$]+)/gm;

/** A contract row says what it is for in its own `summary`, which OpenAPI shows. */
const SUMMARISED = /\bsummary\s*:\s*["`]/;

/**
 * The exports of a file without a sentence that says what they are for. A type beside its schema or table shares the
 * other's sentence.
 */
export function undocumentedExports(file: ProjectFile): readonly string[] {
  const found = [...file.code.matchAll(EXPORT)];
  const documented = new Set<string>();
  const bare: { name: string; line: number }[] = [];
  for (const [position, { 1: name = "", index }] of found.entries()) {
    const declaration = file.code.slice(index, found[position + 1]?.index);
    const hasSentence = file.text.slice(0, index).trimEnd().endsWith("*/") || SUMMARISED.test(declaration);
    if (hasSentence) documented.add(name.toLowerCase());
    else bare.push({ name, line: lineAt(file.text, index) });
  }
  return bare
    .filter(({ name }) => !documented.has(name.toLowerCase()))
    .map(({ name, line }) => `${file.path}:${line} exports ${name} without a sentence: say above it what it is for`);
}
