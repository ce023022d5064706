/**
 * Every address of the app, and the page that it opens. The service worker answers exactly these from the shell, so
 * the file imports nothing.
 */
export const appPaths = Object.freeze({
  "/": "home",
  "/scan": "scan",
  "/confirm": "confirm",
  "/p": "confirm",
  "/receive": "receive",
  "/history": "history",
  "/received": "received",
  "/grant": "grant",
  "/grants": "grants",
  "/welcome": "welcome",
  "/receipt": "receipt",
  "/v": "verify",
  "/summary": "summary",
  "/enrol": "enrol",
  "/profile": "profile",
  "/transfer": "transfer",
  "/refund": "refund",
} as const);

/** A page of the app; two have no address: the page for unknown paths, and the lock page. */
export type PageName = (typeof appPaths)[keyof typeof appPaths] | "lost" | "lock";

/** Returns the page of a path, `lost` if the app has no such path; a slash at its end makes no difference. */
export function pageOf(path: string): PageName {
  const bare = path.length > 1 ? path.replace(/\/+$/, "") || "/" : path;
  return Object.hasOwn(appPaths, bare) ? appPaths[bare as keyof typeof appPaths] : "lost";
}
