import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** The packages by which the code starts PostgreSQL or a browser, or connects to one. */
const OUTSIDE: readonly string[] = ["node:child_process", "pg", "playwright-core"];

const TYPES_ALONE = /^\s*(?:import|export) type\b[^;]*;/gm;
/** An import of one of OUTSIDE, or a relative path in quotes: a path that starts a worker counts as an import too. */
const LOADED = new RegExp(
  `\\b(?:from|import|require)\\b[\\s(]*"(${OUTSIDE.join("|")})["/]|"(\\.{1,2}/[^"?]+\\.ts)`,
  "g",
);

/**
 * Returns the paths of the unit tests of a repository: they stand beside their files, and load nothing through which
 * PostgreSQL or a browser is reached.
 */
export function unitTests(root: string): readonly string[] {
  const loaded = new Map<string, readonly string[]>();

  function loadedBy(path: string): readonly string[] {
    const absolute = posix.join(root, path);
    // Tests name made-up files too.
    if (!existsSync(absolute)) return [];
    const text = readFileSync(absolute, "utf8").replace(TYPES_ALONE, "");
    return [...text.matchAll(LOADED)].map(([, outside, file = ""]) => outside ?? posix.join(posix.dirname(path), file));
  }

  function reachesOutside(path: string, seen: Set<string>): boolean {
    if (OUTSIDE.includes(path)) return true;
    if (seen.has(path)) return false;
    seen.add(path);
    const next = loaded.get(path) ?? loadedBy(path);
    loaded.set(path, next);
    return next.some((each) => reachesOutside(each, seen));
  }

  const tests = globSync("{build,src,server,widgets,pwa}/**/*.test.ts", { cwd: root });
  return tests.map((path) => path.replaceAll("\\", "/")).filter((path) => !reachesOutside(path, new Set()));
}
