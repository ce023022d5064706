import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { maskSource } from "./mask-source.ts";

/** One text file of the repository, read once for all rules. */
export interface ProjectFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with everything blanked that is not code; for TypeScript only, else the text itself. */
  readonly code: string;
}

/** Folders that tools make: git's own, and those that `.gitignore` names. */
const GENERATED_FOLDERS: readonly string[] = [".git", "node_modules", "dist", "data", "coverage", "test-results"];
const TEXT_FILE =
  /\.(?:ts|js|mjs|json|html|css|sql|md|svg|webmanifest|yml|txt)$|^(?:\.gitignore|\.npmrc|LICENSE)$|^run$/;

/** Every written text file below a folder, except what tools made. */
export function projectFiles(root: string, folder = ""): readonly ProjectFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return GENERATED_FOLDERS.includes(entry.name) ? [] : projectFiles(root, path);
    return TEXT_FILE.test(entry.name) ? [readProjectFile(root, path)] : [];
  });
}

/** The names that stand at the top of the repository, hidden ones (editors, tools) left out. */
export function topLevelNames(root: string): readonly string[] {
  return readdirSync(root).filter((name) => !name.startsWith(".") && !GENERATED_FOLDERS.includes(name));
}

function readProjectFile(root: string, path: string): ProjectFile {
  const text = readFileSync(join(root, path), "utf8");
  return { path, text, code: path.endsWith(".ts") ? maskSource(text) : text };
}

/** True for code that only tests run: support, and tests beside the code. The rules on imports and clocks spare it. */
export function isTestCode(path: string): boolean {
  return path.startsWith("test/") || path.endsWith(".test.ts");
}

/** The line, from 1, of a place in a text. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}
