import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ManifestTransform } from "workbox-build";
import type { appPaths } from "../pwa/platform/app-paths.ts";
import type { Language } from "../src/language/languages.ts";

/** Addresses in the order in which a person who just signed in opens them. */
const FIRST: readonly (keyof typeof appPaths)[] = ["/scan", "/confirm", "/receipt", "/receive", "/history"];
/** Scripts that no page imports: the scanner's worker, and the decoder that reads until the better one is there. */
const SCANNER: readonly RegExp[] = [/^assets\/scan-worker-/, /^assets\/jsqr-decoder-/];
/** The language of most. */
const LANGUAGE: Language = "es";

type Scripts = Readonly<Record<string, Readonly<Record<Language, readonly string[]>>>>;

/**
 * Puts the shell's files in the order of need: the service worker fetches one after the other, on a slow line for a
 * minute. Scanning comes first, pictures last. Needs the `page-scripts.json` of `first-page.ts`.
 */
export function inOrderOfNeed(folder: string): ManifestTransform {
  const pages = JSON.parse(readFileSync(join(folder, "page-scripts.json"), "utf8")) as Scripts;
  return (manifest) => {
    const urls = manifest.map(({ url }) => url);
    const scanner = SCANNER.map((name) => {
      const url = urls.find((each) => name.test(each));
      if (url === undefined) throw new Error(`No file of the precache list is called ${name}.`);
      return url;
    });
    const [scan = [], ...others] = FIRST.map((path) => pages[path]?.[LANGUAGE] ?? []);
    const needed = [...scan, ...scanner, ...others.flat()];
    const rankOf = (url: string): number => {
      const rank = needed.indexOf(url);
      if (rank !== -1) return rank;
      return needed.length + (url.startsWith("icons/") ? 1 : 0);
    };
    return { manifest: manifest.toSorted((one, other) => rankOf(one.url) - rankOf(other.url)) };
  };
}
