import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Hono } from "hono";
import { docsPage, docsScript, docsStyle } from "./docs-page.ts";
import type { HttpEnv } from "./exchange.ts";
import type { HttpTools } from "./http-options.ts";
import { answerDocument, keptDocument, type PublicDocument, publicDocument } from "./public-document.ts";

/** Permits scripts, styles and requests of the page's own origin only, and nothing inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers = Object.freeze({ "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer" });

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/** The page's own files by path, each with its type. */
const ownFiles: Readonly<Record<string, PublicDocument>> = Object.freeze({
  "/docs": publicDocument(docsPage, "text/html; charset=utf-8"),
  "/docs/page.js": publicDocument(docsScript, SCRIPT),
  "/docs/page.css": publicDocument(docsStyle, STYLE),
});

const require = createRequire(import.meta.url);
const libraryFolder = dirname(require.resolve("swagger-ui-dist/swagger-ui-bundle.js"));
const iconFolder = join(import.meta.dirname, "../../pwa/public/icons");

/** The library's files and the product's mark, served as they are, so that nothing need be built: folder and type. */
const givenFiles: Readonly<Record<string, readonly [folder: string, type: string]>> = Object.freeze({
  "swagger-ui-bundle.js": [libraryFolder, SCRIPT],
  "swagger-ui.css": [libraryFolder, STYLE],
  "mark.svg": [iconFolder, "image/svg+xml"],
});

/**
 * Adds the routes of `/docs`: the reference as a page, made of `/openapi.json`, that loads nothing from other origins.
 */
export function addDocsRoutes(app: Hono<HttpEnv>, tools: HttpTools): void {
  for (const [path, file] of Object.entries(ownFiles)) app.get(path, (c) => answerDocument(c, tools, file, headers));
  for (const [name, [folder, type]] of Object.entries(givenFiles)) {
    // The files are large, and most processes never serve them.
    const kept = keptDocument(async () => publicDocument(await readFile(join(folder, name)), type));
    app.get(`/docs/${name}`, async (c) => answerDocument(c, tools, await kept(), headers));
  }
}
