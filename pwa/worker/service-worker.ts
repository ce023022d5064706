import { clientsClaim } from "workbox-core";
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { appPaths } from "../platform/app-paths.ts";
import { SHARE_PATH, SharedThings, TAKE_SHARED } from "./keep-shared.ts";

/** The service worker: caches the app's shell, and nothing else. The broker's answers never enter a cache. */
declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: (PrecacheEntry | string)[] };

const ICON = "/icons/any-192.png";
/** The page of money that arrived. */
const RECEIVED = "/received";
const BADGE = "/icons/monochrome-512.png";

precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
// From the first visit on: without a network before the second, pages not yet opened still load.
clientsClaim();

// Only the app's own addresses are answered from the shell; the API, the demo and unknown paths are the server's.
const appAddresses = Object.keys(appPaths).map((path) => new RegExp(`^${path === "/" ? "/" : `${path}/?`}(?:\\?|$)`));
registerRoute(new NavigationRoute(createHandlerBoundToURL("/index.html"), { allowlist: appAddresses }));

const shared = new SharedThings();
registerRoute(SHARE_PATH, ({ request }) => shared.receive(request), "POST");

self.addEventListener("message", (event) => {
  const { data, ports } = event;
  const { type } = (data ?? {}) as { readonly type?: string };
  // The page asks for this when the person has accepted the new version, never by itself.
  if (type === "SKIP_WAITING") event.waitUntil(self.skipWaiting());
  if (type === TAKE_SHARED) ports[0]?.postMessage(shared.take());
});

self.addEventListener("push", (event) => {
  const {
    title = "Cupo",
    body = "",
    tag = "",
    path = RECEIVED,
  } = (event.data?.json() ?? {}) as Partial<Record<string, string>>;
  // The tag makes one message per payment, however often it is sent; only the open app shows payment and amount.
  const showing = self.registration.showNotification(title, { body, tag, icon: ICON, badge: BADGE, data: { path } });
  event.waitUntil(showing);
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as { readonly path?: string } | null)?.path ?? RECEIVED));
});

/** Opens a message's path in an open window, or in a new one. */
async function open(path: string): Promise<void> {
  const [window] = await self.clients.matchAll({ type: "window" });
  if (window === undefined) await self.clients.openWindow(path);
  else await window.focus().then((shown) => shown.postMessage({ type: "OPEN", path }));
}
