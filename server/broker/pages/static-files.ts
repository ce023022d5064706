import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import type { Hono } from "hono";
import { ApiError } from "../../../src/contract/errors.ts";
import { entityTag, matchesTag } from "../../http/answer-call.ts";
import type { HttpContext, HttpEnv } from "../../http/exchange.ts";
import type { HttpTools } from "../../http/http-options.ts";
import { decoderHeaders, pageHeaders, widgetHeaders } from "./page-headers.ts";

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
const APP_PAGE = /^\/(?:(?:scan|confirm|p|receive|history|received|welcome)\/?)?$/;
/** One segment of a path: no dot files, no way up, nothing that a file system reads in its own way. */
const SEGMENT = /^[\w-][\w.-]*$/;
const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/;
const DECODER = /^\/assets\/(?:scan-worker|zxing)[\w.-]*\.js$/;

const unbuiltHeaders = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
const IMMUTABLE = "public, max-age=31536000, immutable";

/** A file below the static root. */
interface Place {
  readonly folder: "app" | "widgets" | "demo";
  readonly path: string;
}

function placeOf(path: string): Place {
  if (APP_PAGE.test(path)) return { folder: "app", path: "/index.html" };
  if (path === "/demo/") return { folder: "demo", path: "/index.html" };
  if (path.startsWith("/demo/")) return { folder: "demo", path: path.slice("/demo".length) };
  if (path.startsWith("/widgets/")) return { folder: "widgets", path: path.slice("/widgets".length) };
  return { folder: "app", path };
}

/** The bytes of a file, or nothing for what is not a plain file inside its folder. */
async function read(root: string, { folder, path }: Place): Promise<Uint8Array | undefined> {
  const segments = path.slice(1).split("/");
  if (!segments.every((segment) => SEGMENT.test(segment)) || TYPES[extname(path)] === undefined) return undefined;
  const base = join(root, folder);
  const file = join(base, ...segments);
  try {
    // A link inside the folder must not lead out of it.
    const [realFile, realBase] = await Promise.all([realpath(file), realpath(base)]);
    if (!realFile.startsWith(realBase + sep) || !(await stat(realFile)).isFile()) return undefined;
    return await readFile(realFile);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    throw error;
  }
}

function headersOf({ folder, path }: Place, common: Readonly<Record<string, string>>): Record<string, string> {
  return {
    ...common,
    ...(folder === "widgets" ? widgetHeaders : {}),
    ...(folder === "app" && DECODER.test(path) ? decoderHeaders : {}),
    "Content-Type": TYPES[extname(path)] ?? "application/octet-stream",
    "Cache-Control": HASHED.test(path) ? IMMUTABLE : "no-cache",
  };
}

/** Said in the place of every page while there is none. */
const NOT_BUILT = 'The pages of Cupo are not built yet. Run "npm run build" and open this address again.\n';

function isPage({ folder, path }: Place): boolean {
  return folder !== "widgets" && path === "/index.html";
}

/** Whether the front end was built into that folder: without it the broker has no page to show. */
export async function isBuilt(root: string): Promise<boolean> {
  return (await read(root, { folder: "app", path: "/index.html" })) !== undefined;
}

/** Serves the built app, elements and demo shop. Whatever else is asked for is not there. */
export function addStaticFiles(
  app: Hono<HttpEnv>,
  tools: HttpTools,
  options: { readonly root: string; readonly publicOrigin: string },
): void {
  const common = pageHeaders(options.publicOrigin);
  const serve = async (c: HttpContext): Promise<Response> => {
    const place = placeOf(c.req.path);
    const bytes = await read(options.root, place);
    if (bytes === undefined) {
      if (isPage(place)) return tools.respond(c, 503, NOT_BUILT, { ...common, ...unbuiltHeaders });
      throw new ApiError("not_found", { detail: "There is no such page." });
    }
    const tag = entityTag(Buffer.from(bytes).toString("latin1"));
    const headers: Record<string, string> = { ...headersOf(place, common), ETag: tag };
    if (!matchesTag(c.req.header("if-none-match") ?? null, tag)) return tools.respond(c, 200, bytes, headers);
    const { "Content-Type": _, ...unchanged } = headers;
    return tools.respond(c, 304, null, unchanged);
  };
  app.get("/demo", (c) => tools.respond(c, 308, null, { Location: "/demo/" }));
  app.get("*", serve);
}
