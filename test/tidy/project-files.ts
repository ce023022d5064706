import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ParseResult, parseSync, Visitor, type VisitorObject } from "rolldown/utils";

/** One text file of the repository, read and parsed once for all rules. */
export interface ProjectFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The syntax tree, comments, imports and exports of a script; undefined for all other files. */
  readonly parsed: ParseResult | undefined;
}

/** Folders that tools make: git's own, and those that `.gitignore` names. */
const GENERATED_FOLDERS: readonly string[] = [".git", "node_modules", "dist", "data", "coverage", "test-results"];
const TEXT_FILE =
  /\.(?:ts|js|mjs|json|html|css|sql|md|svg|webmanifest|yml|txt)$|^(?:\.gitignore|\.npmrc|LICENSE)$|^run$/;
const SCRIPT = /\.(?:ts|js|mjs)$/;

/** The storage of the ledger is next to be rewritten; some rules leave it until then. */
export const REWRITTEN_NEXT = /^server\/ledger\/storage\//;

/** Every written text file below a folder, except what tools made. */
export function projectFiles(root: string, folder = ""): readonly ProjectFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return GENERATED_FOLDERS.includes(entry.name) ? [] : projectFiles(root, path);
    return TEXT_FILE.test(entry.name) ? [projectFile(path, readFileSync(join(root, path), "utf8"))] : [];
  });
}

/** A file of this text; a script that cannot be parsed is an error, since no rule could judge it. */
export function projectFile(path: string, text: string): ProjectFile {
  const parsed = SCRIPT.test(path) ? parseSync(path, text, { sourceType: "module" }) : undefined;
  const [error] = parsed?.errors ?? [];
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`);
  return { path, text, parsed };
}

/** The names that stand at the top of the repository, hidden ones (editors, tools) left out. */
export function topLevelNames(root: string): readonly string[] {
  return readdirSync(root).filter((name) => !name.startsWith(".") && !GENERATED_FOLDERS.includes(name));
}

/** True for code that only tests run: support, and tests beside the code. The rules on imports and clocks spare it. */
export function isTestCode(path: string): boolean {
  return path.startsWith("test/") || path.endsWith(".test.ts");
}

/** Calls a visitor for every node of a script; a file of another kind has none. */
export function visit({ parsed }: ProjectFile, visitor: VisitorObject): void {
  if (parsed !== undefined) new Visitor(visitor).visit(parsed.program);
}

/** The lines of a file, without the empty one after its last line break. */
export function linesOf({ text }: ProjectFile): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** The line, from 1, of a place in a text. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}
