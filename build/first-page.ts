import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { pageWords } from "../pwa/language/page-words.ts";
import { appPaths, type PageName } from "../pwa/platform/app-paths.ts";
import { type Language, languages } from "../src/language/languages.ts";
import type { ScriptSize } from "./size-table.ts";

/** The budget of all script that Home loads from a cold start until it is idle. */
const BUDGET_BYTES = 60_000;

/** A script of the build, as Vite's manifest has it. */
interface BuiltScript {
  readonly file: string;
  readonly imports?: readonly string[];
}

type Manifest = Readonly<Record<string, BuiltScript>>;

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8")) as Manifest;
}

/**
 * The scripts that the built app's first page loads, as paths below its folder: those that its document names, and what
 * these import. Home fetches no others by itself, which an end-to-end test checks.
 */
export function firstPageScripts(folder: string): readonly string[] {
  const manifest = manifestIn(folder);
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const named = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path = ""]) => path);
  return [...new Set(named.flatMap((file) => [file, ...importedBy(file, manifest)]))].sort();
}

/** All scripts that a script imports, directly or indirectly. */
function importedBy(file: string, manifest: Manifest, found = new Set<string>()): ReadonlySet<string> {
  const { imports = [] } = Object.values(manifest).find((script) => script.file === file) ?? {};
  for (const imported of imports.flatMap((key) => manifest[key]?.file ?? [])) {
    if (found.has(imported)) continue;
    found.add(imported);
    importedBy(imported, manifest, found);
  }
  return found;
}

/**
 * Returns the size of the first page's scripts ({@link firstPageScripts}) together, with gzip, and if it keeps within
 * their budget.
 */
export function firstPageSize(folder: string): ScriptSize {
  const size = firstPageScripts(folder)
    .map((path) => gzipSync(readFileSync(join(folder, path)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0);
  return { name: "first-page", passed: size <= BUDGET_BYTES, size, sizeLimit: BUDGET_BYTES };
}

/**
 * Writes `page-scripts.json` into the built app: for each of its addresses, in each language, the modules that the
 * document names, and those that the page and its words load beyond. The broker names them with the document, so that
 * none waits until another has run.
 */
export function writePageScripts(folder: string): void {
  const manifest = manifestIn(folder);
  const first = firstPageScripts(folder);
  const modules = Object.values(manifest).map(({ file }) => file);
  const scriptsOf = (page: PageName, language: Language): readonly string[] => {
    const words = pageWords[page];
    const parts = ["start", ...(words === undefined ? [] : [words])];
    const sources = [`pwa/pages/${page}-page.ts`, ...parts.map((part) => `src/language/${language}/app/${part}.ts`)];
    const files = sources.flatMap((source) => manifest[source]?.file ?? []);
    const others = new Set(files.flatMap((file) => [file, ...importedBy(file, manifest)]));
    return [
      ...first.filter((path) => modules.includes(path)),
      ...[...others].filter((path) => !first.includes(path)).sort(),
    ];
  };
  const byLanguage = (page: PageName) =>
    Object.fromEntries((Object.keys(languages) as Language[]).map((language) => [language, scriptsOf(page, language)]));
  const scripts = Object.fromEntries(Object.entries(appPaths).map(([path, page]) => [path, byLanguage(page)]));
  writeFileSync(join(folder, "page-scripts.json"), `${JSON.stringify(scripts, null, 2)}\n`);
}
