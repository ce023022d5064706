import type { PageName } from "./platform/app-paths.ts";
import { startWorkerAhead } from "./scan/take-worker.ts";

/** Entry of {@link routes}: how the app shell loads and shows one page, and who may see it. */
export interface Route {
  /** The page's element, which `load` defines. */
  readonly tag: string;
  readonly load: () => Promise<unknown>;
  /** True if the tab bar is shown; a page with an action of its own at the bottom has none. */
  readonly tabs: boolean;
  /** True if it can be seen without a sign-in. */
  readonly open: boolean;
  /** True if an operation may be in progress that an update prompt must not disturb. */
  readonly busy: boolean;
  /** Starts beside `load` what the page needs, where it is opened from another page. */
  readonly beside?: () => void;
  /** True if the person counts as present without input, so that the app does not lock. */
  readonly present?: boolean;
}

const browsing = { tabs: true, open: false, busy: false } as const;
const acting = { tabs: false, open: false, busy: true } as const;

/**
 * Table of every page: its element, and how the shell shows it. A page's script is fetched when the page is first
 * opened.
 */
export const routes = Object.freeze({
  home: { ...browsing, tag: "cupo-home-page", load: () => import("./pages/home-page.ts") },
  history: { ...browsing, tag: "cupo-history-page", load: () => import("./pages/history-page.ts") },
  received: {
    ...browsing,
    tag: "cupo-received-page",
    load: () => import("./pages/received-page.ts"),
  },
  receive: {
    ...browsing,
    busy: true,
    present: true,
    tag: "cupo-receive-page",
    load: () => import("./pages/receive-page.ts"),
  },
  scan: {
    ...acting,
    present: true,
    tag: "cupo-scan-page",
    load: () => import("./pages/scan-page.ts"),
    beside: startWorkerAhead,
  },
  confirm: {
    ...acting,
    present: true,
    tag: "cupo-confirm-page",
    load: () => import("./pages/confirm-page.ts"),
  },
  transfer: {
    ...acting,
    tag: "cupo-transfer-page",
    load: () => import("./pages/transfer-page.ts"),
  },
  refund: {
    ...acting,
    tag: "cupo-refund-page",
    load: () => import("./pages/refund-page.ts"),
  },
  grant: { ...acting, tag: "cupo-grant-page", load: () => import("./pages/grant-page.ts") },
  grants: {
    ...browsing,
    tag: "cupo-grants-page",
    load: () => import("./pages/grants-page.ts"),
  },
  welcome: {
    ...acting,
    open: true,
    busy: false,
    tag: "cupo-welcome-page",
    load: () => import("./pages/welcome-page.ts"),
  },
  enrol: {
    ...acting,
    open: true,
    tag: "cupo-enrol-page",
    load: () => import("./pages/enrol-page.ts"),
  },
  profile: {
    ...browsing,
    tag: "cupo-profile-page",
    load: () => import("./pages/profile-page.ts"),
  },
  lock: { ...acting, open: true, tag: "cupo-lock-page", load: () => import("./pages/lock-page.ts") },
  receipt: {
    ...browsing,
    tabs: false,
    tag: "cupo-receipt-page",
    load: () => import("./pages/receipt-page.ts"),
  },
  verify: {
    ...browsing,
    tabs: false,
    open: true,
    tag: "cupo-verify-page",
    load: () => import("./pages/verify-page.ts"),
  },
  summary: {
    ...browsing,
    tag: "cupo-summary-page",
    load: () => import("./pages/summary-page.ts"),
  },
  lost: { ...browsing, open: true, tag: "cupo-not-found-page", load: () => import("./pages/not-found-page.ts") },
} as const satisfies Record<PageName, Route>);
