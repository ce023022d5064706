import type { PageName } from "./app-paths.ts";

/** How the shell opens a page. */
export interface Route {
  /** The page's element, which `load` defines. */
  readonly tag: string;
  readonly load: () => Promise<unknown>;
  /** Whether the tab bar stands below; a page with an action of its own in the thumb's reach has none. */
  readonly tabs: boolean;
  /** Whether a stranger may see it. */
  readonly open: boolean;
  /** Whether something is under way here that an update's prompt must not disturb. */
  readonly busy: boolean;
  /** Whether the person is taken to be there without touching anything, so that the lock waits. */
  readonly present?: boolean;
}

const browsing = { tabs: true, open: false, busy: false } as const;
const acting = { tabs: false, open: false, busy: true } as const;

/** Every page, fetched when it is first opened. */
export const routes = Object.freeze({
  home: { ...browsing, tag: "cupo-home-page", load: () => import("./pages/home-page.ts") },
  history: { ...browsing, tag: "cupo-history-page", load: () => import("./pages/history-page.ts") },
  received: { ...browsing, tag: "cupo-received-page", load: () => import("./pages/received-page.ts") },
  receive: {
    ...browsing,
    busy: true,
    present: true,
    tag: "cupo-receive-page",
    load: () => import("./pages/receive-page.ts"),
  },
  scan: { ...acting, present: true, tag: "cupo-scan-page", load: () => import("./pages/scan-page.ts") },
  confirm: { ...acting, present: true, tag: "cupo-confirm-page", load: () => import("./pages/confirm-page.ts") },
  grant: { ...acting, tag: "cupo-grant-page", load: () => import("./pages/grant-page.ts") },
  grants: { ...browsing, tag: "cupo-grants-page", load: () => import("./pages/grants-page.ts") },
  welcome: {
    ...acting,
    open: true,
    busy: false,
    tag: "cupo-welcome-page",
    load: () => import("./pages/welcome-page.ts"),
  },
  lock: { ...acting, open: true, tag: "cupo-lock-page", load: () => import("./lock/lock-page.ts") },
  lost: { ...browsing, open: true, tag: "cupo-lost-page", load: () => import("./pages/lost-page.ts") },
} as const satisfies Record<PageName, Route>);
