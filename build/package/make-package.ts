import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { generateVsCodeCustomElementData } from "custom-element-vs-code-integration";
import { describeElements, elementsOf, type Manifest } from "./describe-elements.ts";
import { fixDeclarations } from "./fix-declarations.ts";
import { declaredEntries, elementNames, PACKAGE_FOLDER } from "./package-entries.ts";
import { reactDeclarations } from "./react-declarations.ts";

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

/** Makes what `npm pack` takes: everything below `dist/package`, afresh, from the sources as they are. */
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

makePackage();
