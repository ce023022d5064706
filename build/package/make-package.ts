import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { generateVsCodeCustomElementData } from "custom-element-vs-code-integration";
import { readFlags } from "../usage.ts";
import { describeElements, elementsOf, type Manifest } from "./describe-elements.ts";
import { declaredEntries, elementNames, PACKAGE_FOLDER } from "./package-entries.ts";
import { reactDeclarations } from "./react-declarations.ts";

const ENDING = ".d.ts";
const SOURCE_IMPORT = /((?:\bfrom|\bimport)\s*\(?\s*"\.[^"]*)\.ts"/g;
const SCRIPT_IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]*)\.js"/g;

function declarationsIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(ENDING)).map((file) => join(folder, file));
}

/** Collects a declaration and all that it imports. */
function reach(path: string, reached: Set<string>): void {
  if (reached.has(path) || !existsSync(path)) return;
  reached.add(path);
  for (const [, target = ""] of readFileSync(path, "utf8").matchAll(SCRIPT_IMPORT)) {
    reach(join(dirname(path), target + ENDING), reached);
  }
}

/**
 * Makes compiled declarations fit to publish: they name the scripts beside them, where the compiler leaves the sources'
 * names, and those that none of the entries leads to are removed.
 */
function fixDeclarations(folder: string, entries: readonly string[]): void {
  const files = declarationsIn(folder);
  for (const path of files) writeFileSync(path, readFileSync(path, "utf8").replace(SOURCE_IMPORT, '$1.js"'));
  const reached = new Set<string>();
  for (const entry of entries) reach(join(entry), reached);
  for (const path of files.filter((file) => !reached.has(file))) rmSync(path);
}

/** Compiles scripts and declarations, file by file; packages in `dependencies` stay imports. */
function compile(): void {
  const compiler = createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace("package.json", "bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", "build/package/tsconfig.json"], { stdio: "inherit" });
}

function writeReactTypes(manifest: Manifest, folder: string): void {
  const elements = manifest.modules.flatMap(({ path, declarations }) =>
    declarations.map((element) => ({ element, module: path.replace(folder, ".") })),
  );
  writeFileSync(join(folder, "react.d.ts"), reactDeclarations(elements));
  writeFileSync(join(folder, "react.js"), "// Types only: see react.d.ts.\nexport {};\n");
}

/** Builds the files that `npm pack` publishes: removes `dist/package` and makes it anew from the sources. */
export function makePackage(): void {
  const folder = PACKAGE_FOLDER;
  rmSync(folder, { recursive: true, force: true });
  compile();
  const manifest = describeElements(elementNames(), folder);
  if (elementsOf(manifest).length !== elementNames().length) throw new Error("an element is missing in the manifest");
  writeFileSync(join(folder, "custom-elements.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeReactTypes(manifest, folder);
  const editorManifest = manifest as unknown as Parameters<typeof generateVsCodeCustomElementData>[0];
  fixDeclarations(folder, declaredEntries());
  generateVsCodeCustomElementData(editorManifest, { outdir: folder, hideLogs: true });
}

readFlags({ script: "package", text: `Makes the files that *npm pack* publishes anew, in ${PACKAGE_FOLDER}.` });
makePackage();
