import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { normalizePath, type Plugin } from "vite";
import { pageHeaders } from "../../server/broker/pages/page-headers.ts";
import type { ServerProcess } from "./server-process.ts";

/**
 * Pattern of the paths that the development server passes on to the server process, unless they name one of the demo
 * pages' own files.
 */
export const SERVER_PATHS = /^\/(?:v1|demo|health|metrics)(?:[/?]|$)/;

/** Paths of files that a running server may have loaded: of the words, its own alone. */
const SERVER_FILES = /^(?:server|src)\/(?!language\/\w+\/(?:app|demo|elements)\/)(?!.*\.(?:test\.ts|md)$)/;

const DEMO = "widgets/demo";
const SERVICE_WORKER = "/sw.js";

/**
 * Source of a service worker that answers no request, so that every page is the newest. It replaces the one that
 * `npm start` leaves at the same address: it deletes that one's caches, and loads its pages again.
 */
const IDLE_WORKER = `
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(replaceEarlier()));
async function replaceEarlier() {
  const precaches = (await caches.keys()).filter((name) => name.includes("precache"));
  if (precaches.length === 0) return;
  await Promise.all(precaches.map((name) => caches.delete(name)));
  await clients.claim();
  // Not awaited: a page is loaded only once this worker is active.
  for (const page of await clients.matchAll({ type: "window" })) page.navigate(page.url);
}
`;

/** Headers of the product's pages; the policy is reported to the console only, because Vite's error page breaks it. */
function headersOfPages(): Readonly<Record<string, string>> {
  const { "Content-Security-Policy": policy = "", ...headers } = pageHeaders;
  // The build replaces the Trusted Types policy that Lit creates as published.
  const reported = policy.replace("trusted-types cupo", "trusted-types cupo lit-html");
  return { ...headers, "Content-Security-Policy-Report-Only": reported };
}

/** Returns the path of the source of a file that the product serves at another path. */
function sourceOf(root: string, path: string): string | undefined {
  const source = path
    .replace(/^\/widgets\/([\w-]+)\.js$/, "/widgets/$1.ts")
    .replace(/^\/demo\/$/, "/demo/index.html")
    .replace(/^\/demo\//, `/${DEMO}/`);
  const files = [source, source.replace(/\.js$/, ".ts")];
  return source === path ? undefined : files.find((file) => existsSync(join(root, file)));
}

/**
 * Vite plugin for development: serves app, demo shop and showcase of the elements from their sources, and restarts the
 * server process when a source of the server changes.
 */
export function devPages(server: Pick<ServerProcess, "listening" | "restart">): Plugin {
  const headers = headersOfPages();
  let root = "";
  return {
    name: "cupo:dev-pages",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    configResolved(config) {
      ({ root } = config);
    },
    resolveId(id) {
      const source = sourceOf(root, id);
      return source === undefined ? undefined : join(root, source);
    },
    configureServer({ middlewares, watcher }) {
      watcher.on("all", (_event, file) => {
        if (SERVER_FILES.test(normalizePath(relative(root, file)))) server.restart();
      });
      middlewares.use(SERVICE_WORKER, (_request, response) => {
        response.setHeader("Content-Type", "text/javascript").end(IDLE_WORKER);
      });
      middlewares.use(async (request, response, next) => {
        const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
        const source = sourceOf(root, pathname);
        if (source !== undefined) request.url = `${source}${search}`;
        // A page that is reloaded while the server restarts waits for its answers.
        else if (SERVER_PATHS.test(pathname)) await server.listening;
        if (request.headers["sec-fetch-dest"] === "document") response.setHeaders(new Map(Object.entries(headers)));
        next();
      });
    },
    hotUpdate({ file, server: { ws } }) {
      // Vite would update only pages whose address is that of the source.
      if (!file.startsWith(`${root}/${DEMO}/`)) return undefined;
      ws.send({ type: "full-reload" });
      return [];
    },
  };
}
