import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { ScriptSize } from "./size-table.ts";

/** All script that Home loads between a cold start and its rest (pwa: Budget). */
const BUDGET_BYTES = 60_000;

/** A script of the build, as Vite's manifest has it. */
interface BuiltScript {
  readonly file: string;
  readonly imports?: readonly string[];
}

type Manifest = Readonly<Record<string, BuiltScript>>;

/**
 * The scripts that the built app's first page loads, as paths below its folder: those that its document names, and what
 * these import. Home fetches no others by itself, which a journey watches.
 */
export function firstPageScripts(folder: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8")) as Manifest;
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const named = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path = ""]) => path);
  return [...new Set(named.flatMap((file) => [file, ...importedBy(file, manifest)]))].sort();
}

function importedBy(file: string, manifest: Manifest): readonly string[] {
  const { imports = [] } = Object.values(manifest).find((script) => script.file === file) ?? {};
  const files = imports.flatMap((key) => manifest[key]?.file ?? []);
  return files.flatMap((imported) => [imported, ...importedBy(imported, manifest)]);
}

/** What those scripts weigh together, against their budget. */
export function firstPageSize(folder: string): ScriptSize {
  const size = firstPageScripts(folder)
    .map((path) => gzipSync(readFileSync(join(folder, path)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0);
  return { name: "first-page", passed: size <= BUDGET_BYTES, size, sizeLimit: BUDGET_BYTES };
}
