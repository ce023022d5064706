import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { firstPageScripts, firstPageSize, writePageScripts } from "./first-page.ts";

const SCRIPTS = ["theme.js", "assets/home-1.js", "assets/shared-1.js", "assets/scan-1.js"];
const MANIFEST = {
  "index.html": { file: "assets/home-1.js", imports: ["_shared.js"] },
  "_shared.js": { file: "assets/shared-1.js", imports: [] },
  "pwa/pages/scan-page.ts": { file: "assets/scan-1.js", imports: ["_shared.js"] },
  "src/language/en/app/scan.ts": { file: "assets/scan-en-1.js" },
  "src/language/en/app/start.ts": { file: "assets/start-en-1.js" },
};

const FIRST = ["assets/home-1.js", "assets/shared-1.js"];

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cupo-first-page-"));
  for (const sub of [".vite", "assets"]) mkdirSync(join(folder, sub));
  for (const path of SCRIPTS) writeFileSync(join(folder, path), `console.log(${JSON.stringify(path)});`);
  writeFileSync(join(folder, ".vite/manifest.json"), JSON.stringify(MANIFEST));
  writeFileSync(
    join(folder, "index.html"),
    '<link rel="stylesheet" href="/a.css"><script src="/theme.js"></script><script src="/assets/home-1.js"></script>',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

it("the first page's scripts are those its document names, and what they import", () => {
  const scripts = firstPageScripts(folder);
  expect(scripts).toEqual(["assets/home-1.js", "assets/shared-1.js", "theme.js"]);
  const bytes = scripts.map((path) => gzipSync(`console.log(${JSON.stringify(path)});`, { level: 9 }).length);
  const size = bytes.reduce((sum, each) => sum + each, 0);
  expect(firstPageSize(folder)).toEqual({ name: "first-page", passed: true, size, sizeLimit: 60_000 });
});

it("a page's scripts are the document's modules, and those that it and its words take beyond", () => {
  writePageScripts(folder);
  const written = JSON.parse(readFileSync(join(folder, "page-scripts.json"), "utf8")) as Record<string, unknown>;
  expect(written).toMatchObject({
    "/": { es: FIRST, en: [...FIRST, "assets/start-en-1.js"] },
    "/scan": {
      es: [...FIRST, "assets/scan-1.js"],
      en: [...FIRST, "assets/scan-1.js", "assets/scan-en-1.js", "assets/start-en-1.js"],
    },
  });
});
