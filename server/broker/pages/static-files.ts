import { extname, join } from "node:path";
import type { Hono } from "hono";
import { type ByLanguage, chooseLanguage } from "../../../src/language/languages.ts";
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

/** The build's list of the scripts of each page (build/first-page.ts). */
const PAGE_SCRIPTS: FileLocation = { folder: "app", path: "/page-scripts.json" };

/** A file as it is sent. */
interface Sent extends SharedFile {
  readonly encoding?: ContentEncoding["name"];
}

/** Folder of the built front end, who is signed in, and if there is a demo. */
interface Place {
  readonly root: string;
  readonly isSignedIn: (headers: Headers) => boolean;
  readonly demo: boolean;
}

/** The folder of the built front end, and its files. */
interface Root extends Place {
  readonly files: SharedFiles;
}

/** Reads a file in the best content encoding that is both accepted and built. */
async function read(
  { root, files }: Pick<Root, "root" | "files">,
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

/** The scripts of each page of the app, by its address and language, as build/first-page.ts writes them. */
type PageScripts = Readonly<Record<string, ByLanguage<readonly string[]>>>;

/** The opening of an address of the app. */
interface Opened {
  readonly path: string;
  /** The `Accept-Language` header, whose tags browsers send best first. */
  readonly languages: string | undefined;
  readonly isSignedIn: boolean;
  /** True if Welcome has buttons for the people of the demo. */
  readonly demo: boolean;
}

/** Asked for by Welcome, with the app's own headers, which a preload may lack. */
const DEMO_PEOPLE = "</v1/demo/people>; rel=preload; as=fetch; crossorigin";

/**
 * Names the scripts that a page of the app loads, so that a browser fetches them at once (HTML, "modulepreload" of a
 * `Link` header); those of the document come first, because a browser may open few connections. Home without a session
 * becomes Welcome.
 */
function preloadHeaders(pageScripts: Uint8Array, opened: Opened): Readonly<Record<string, string>> {
  const scripts = JSON.parse(Buffer.from(pageScripts).toString()) as PageScripts;
  const path = opened.path.replace(/(?<=.)\/$/, "");
  const tags = (opened.languages ?? "").split(",").map((item) => item.split(";", 1)[0]?.trim() ?? "");
  const shown = path === "/" && !opened.isSignedIn ? "/welcome" : path;
  const modules = scripts[shown]?.[chooseLanguage(tags)] ?? [];
  const links = modules.map((module) => `</${module}>; rel=modulepreload; fetchpriority=low`);
  if (shown === "/welcome" && opened.demo) links.push(DEMO_PEOPLE);
  return { Vary: "Accept-Encoding, Accept-Language, Cookie", ...(links.length > 0 ? { Link: links.join(", ") } : {}) };
}

/** Returns the headers of a page that name what it loads. */
async function preloads(root: Root, c: HttpContext): Promise<Readonly<Record<string, string>>> {
  const list = APP_PAGE.test(c.req.path) ? await read(root, PAGE_SCRIPTS) : undefined;
  if (list === undefined) return {};
  const isSignedIn = root.isSignedIn(c.req.raw.headers);
  const languages = c.req.header("accept-language");
  return preloadHeaders(list.bytes, { path: c.req.path, languages, isSignedIn, demo: root.demo });
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
export function addStaticFiles(app: Hono<HttpEnv>, tools: HttpTools, place: Place): void {
  const root: Root = { ...place, files: createSharedFiles() };
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
    const headers = { ...headersOf(place, sent), ...(await preloads(root, c)) };
    const isKnown = matchesTag(c.req.header("if-none-match") ?? null, headers.ETag ?? "");
    if (!isKnown) return tools.respondShared(c, 200, sent.bytes, headers);
    const { "Content-Type": _, "Content-Encoding": __, ...unchanged } = headers;
    return tools.respond(c, 304, null, unchanged);
  };
  app.get("*", serve);
}
