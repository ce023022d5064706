import { extname, join } from "node:path";
import type { Hono } from "hono";
import { matchesTag } from "../../http/answer-call.ts";
import type { HttpContext, HttpEnv } from "../../http/exchange.ts";
import type { HttpTools } from "../../http/http-options.ts";
import { acceptedEncodings, type ContentEncoding } from "./content-encoding.ts";
import { decoderHeaders, pageHeaders, widgetHeaders } from "./page-headers.ts";
import { createSharedFiles, type SharedFile, type SharedFiles } from "./shared-files.ts";

const TYPES: Readonly<Record<string, string>> = Object.freeze({
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
});

/** Paths that the app itself routes; each gets its one page. */
const APP_PAGES = [
  ...["scan", "confirm", "p", "receive", "history", "received", "grant", "grants", "welcome", "enrol", "profile"],
  ...["transfer", "refund", "summary", "receipt", "v"],
];
const APP_PAGE = new RegExp(`^/(?:(?:${APP_PAGES.join("|")})/?)?$`);
/** One segment of a path: no dot files, no way up, nothing that a file system reads in its own way. */
const SEGMENT = /^[\w-][\w.-]*$/;
const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/;
/** The elements' scripts of one version: never changed, and not there once their folder is gone. */
const VERSIONED = /^\/\d+\.\d+\.\d+[\w.-]*\//;
const DECODER = /^\/assets\/(?:scan-worker|zxing)[\w.-]*\.js$/;

const unbuiltHeaders = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
const IMMUTABLE = "public, max-age=31536000, immutable";
/**
 * Revalidated on each use, so that a correction reaches every page at once. For an element's short address this costs a
 * shop no time: the element asks for its payment next over the same connection.
 */
const REVALIDATED = "no-cache";

/** The build's list of the scripts of each page (build/first-page.ts). */
const PAGE_SCRIPTS: FileLocation = { folder: "app", path: "/page-scripts.json" };

type Headers = Readonly<Record<string, string>>;

/** A file below the static root. */
interface FileLocation {
  readonly folder: "app" | "widgets" | "demo";
  readonly path: string;
}

function placeOf(path: string): FileLocation {
  if (APP_PAGE.test(path)) return { folder: "app", path: "/index.html" };
  if (path === "/demo/") return { folder: "demo", path: "/index.html" };
  if (path.startsWith("/demo/")) return { folder: "demo", path: path.slice("/demo".length) };
  if (path.startsWith("/widgets/")) return { folder: "widgets", path: path.slice("/widgets".length) };
  return { folder: "app", path };
}

/** A file as it is sent. */
interface Sent extends SharedFile {
  readonly encoding?: ContentEncoding["name"];
}

/** The folder of the built front end, and its files. */
interface Root {
  readonly root: string;
  readonly files: SharedFiles;
}

/** Reads a file in the best content encoding that is both accepted and built. */
async function read(
  { root, files }: Root,
  { folder, path }: FileLocation,
  admitted: readonly ContentEncoding[] = [],
): Promise<Sent | undefined> {
  const segments = path.slice(1).split("/");
  if (!segments.every((segment) => SEGMENT.test(segment)) || TYPES[extname(path)] === undefined) return undefined;
  const base = join(root, folder);
  const file = join(base, ...segments);
  const plain = await files.read(base, file);
  if (plain === undefined) return undefined;
  for (const { name, ending } of admitted) {
    const compressed = await files.read(base, `${file}${ending}`);
    // An older copy is of other content: a build since then was cut short before it wrote the copy.
    if (compressed !== undefined && compressed.writtenAt >= plain.writtenAt) return { ...compressed, encoding: name };
  }
  return plain;
}

function cachingOf({ folder, path }: FileLocation): string {
  return (folder === "widgets" ? VERSIONED : HASHED).test(path) ? IMMUTABLE : REVALIDATED;
}

/**
 * Names the scripts of a page that its document does not, so that a browser fetches them at once (HTML, "modulepreload"
 * of a `Link` header). They come after those of the document itself.
 */
async function preloads(root: Root, path: string): Promise<Headers> {
  const list = APP_PAGE.test(path) ? await read(root, PAGE_SCRIPTS) : undefined;
  if (list === undefined) return {};
  const byPath = JSON.parse(Buffer.from(list.bytes).toString()) as Readonly<Record<string, readonly string[]>>;
  const scripts = byPath[path.replace(/(?<=.)\/$/, "")] ?? [];
  if (scripts.length === 0) return {};
  return { Link: scripts.map((script) => `</${script}>; rel=modulepreload; fetchpriority=low`).join(", ") };
}

function headersOf(place: FileLocation, { tag, encoding }: Sent): Record<string, string> {
  const { folder, path } = place;
  return {
    ...pageHeaders,
    ...(folder === "widgets" ? widgetHeaders : {}),
    ...(folder === "app" && DECODER.test(path) ? decoderHeaders : {}),
    ...(encoding === undefined ? {} : { "Content-Encoding": encoding }),
    "Content-Type": TYPES[extname(path)] ?? "application/octet-stream",
    "Cache-Control": cachingOf(place),
    Vary: "Accept-Encoding",
    // Strong, so each form has its own (RFC 9110 §8.8.3).
    ETag: tag,
  };
}

/** The app's page, which shows "not found" for an address that it does not know. */
const NOT_FOUND_PAGE: FileLocation = { folder: "app", path: "/index.html" };

/** The answer to every page while none is built. */
const NOT_BUILT = 'The pages of Cupo are not built yet. Run "npm run build" and open this address again.\n';

function isPage({ folder, path }: FileLocation): boolean {
  return folder !== "widgets" && path === "/index.html";
}

/** True if the front end was built into that folder: without it the broker has no page to show. */
export async function isBuilt(root: string): Promise<boolean> {
  return (await read({ root, files: createSharedFiles() }, { folder: "app", path: "/index.html" })) !== undefined;
}

/** True if somebody opened the address in a browser, who is then shown the app's "not found" page. */
function isOpened(c: HttpContext, { folder, path }: FileLocation): boolean {
  if (folder !== "app" || extname(path) !== "" || path.startsWith("/v1/")) return false;
  return c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");
}

/**
 * Serves the built app, elements and demo shop, and answers 503 for their pages while none is built. Anything else gets
 * 404 or 405; a browser that opens an unknown address gets the app's "not found" page with the 404.
 */
export function addStaticFiles(app: Hono<HttpEnv>, tools: HttpTools, options: { readonly root: string }): void {
  const root: Root = { root: options.root, files: createSharedFiles() };
  const serve = async (c: HttpContext): Promise<Response> => {
    const place = placeOf(c.req.path);
    const sent = await read(root, place, acceptedEncodings(c.req.header("accept-encoding")));
    if (sent === undefined) {
      // So that a merchant's page sees the 404, not a CORS error.
      if (place.folder === "widgets") Object.assign(c.get("exchange").headers, widgetHeaders);
      if (isPage(place)) return tools.respond(c, 503, NOT_BUILT, { ...pageHeaders, ...unbuiltHeaders });
      const lost = isOpened(c, place) ? await read(root, NOT_FOUND_PAGE) : undefined;
      if (lost !== undefined) return tools.respondShared(c, 404, lost.bytes, headersOf(NOT_FOUND_PAGE, lost));
      // 404 as for any unknown address, or 405 for one that takes another method.
      return c.notFound();
    }
    const headers = { ...headersOf(place, sent), ...(await preloads(root, c.req.path)) };
    const isKnown = matchesTag(c.req.header("if-none-match") ?? null, headers.ETag ?? "");
    if (!isKnown) return tools.respondShared(c, 200, sent.bytes, headers);
    const { "Content-Type": _, "Content-Encoding": __, ...unchanged } = headers;
    return tools.respond(c, 304, null, unchanged);
  };
  app.get("*", serve);
}
