import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { ScriptSize } from "./size-table.ts";

/** All script that Home loads between a cold start and its rest (pwa: Budget). */
const BUDGET_BYTES = 60_000;

/** What Home fetches by itself beside what its document names: the words, in the language of most. */
const FETCHED_AT_ONCE = ["pwa/language/es.ts"];

/** A script of the build, as Vite's manifest has it. */
interface BuiltScript {
  readonly file: string;
  readonly imports?: readonly string[];
}

type Manifest = Readonly<Record<string, BuiltScript>>;

/**
 * The scripts that the built app's first page loads, as paths below its folder: those that its document names, those
 * that it fetches at once, and what these import. A journey compares the list with what a browser loads.
 */
export function firstPageScripts(folder: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8")) as Manifest;
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const named = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path = ""]) => path);
  const fetched = FETCHED_AT_ONCE.flatMap((key) => filesOf(manifest, key));
  const imported = Object.entries(manifest).flatMap(([key, { file }]) =>
    named.includes(file) ? filesOf(manifest, key) : [],
  );
  return [...new Set([...named, ...imported, ...fetched])].sort();
}

function filesOf(manifest: Manifest, key: string): readonly string[] {
  const script = manifest[key];
  if (script === undefined) throw new Error(`The build made no script of ${key}: see build/first-page.ts.`);
  return [script.file, ...(script.imports ?? []).flatMap((imported) => filesOf(manifest, imported))];
}

/** What those scripts weigh together, against their budget. */
export function firstPageSize(folder: string): ScriptSize {
  const size = firstPageScripts(folder)
    .map((path) => gzipSync(readFileSync(join(folder, path)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0);
  return { name: "first-page", passed: size <= BUDGET_BYTES, size, sizeLimit: BUDGET_BYTES };
}
