import { clientsClaim } from "workbox-core";
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { appPaths } from "../app-paths.ts";

/** The service worker: keeps the app's shell, and nothing else. What the broker answers never enters a cache. */
declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: (PrecacheEntry | string)[] };

precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
// From the first visit on: whoever loses the network before the second opens the pages not yet seen all the same.
clientsClaim();

// Only the app's own addresses are answered from the shell; the API, the demo and unknown paths are the server's.
const appAddresses = Object.keys(appPaths).map((path) => new RegExp(`^${path === "/" ? "/" : `${path}/?`}(?:\\?|$)`));
registerRoute(new NavigationRoute(createHandlerBoundToURL("/index.html"), { allowlist: appAddresses }));

self.addEventListener("message", ({ data }) => {
  // The page asks for this when the person has accepted the new version, never by itself.
  if ((data as { readonly type?: string } | null)?.type === "SKIP_WAITING") void self.skipWaiting();
});
