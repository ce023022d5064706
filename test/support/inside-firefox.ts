import type { Browser, Page } from "playwright-core";

/** Media features and scale of a page. WebDriver BiDi, by which Playwright drives a plain Firefox, cannot set them. */
export interface FirefoxLook {
  readonly colorScheme: "light" | "dark";
  readonly forcedColors: "active" | "none";
  readonly reducedMotion: "reduce" | "no-preference";
  readonly scale: number;
}

/** Without it Firefox lets no driver run a script with the browser's own rights. */
export const FIREFOX_ARGUMENTS: readonly string[] = Object.freeze(["--remote-allow-system-access"]);

/** The connection to the browser inside Playwright. */
interface BidiSession {
  send(method: "browsingContext.getTree", parameters: object): Promise<{ contexts: readonly { context: string }[] }>;
  send(method: "script.evaluate", parameters: object): Promise<{ type: string; exceptionDetails?: { text: string } }>;
}

/**
 * Changes the look of every page of a Firefox from now on. It sets what Firefox's own developer tools set, by a script
 * with the browser's rights: `page.emulateMedia` resolves in a plain Firefox and does nothing (playwright-core 1.64).
 */
export function showInFirefox(page: Page, look: FirefoxLook): Promise<void> {
  return runInside(page, `(${overrideAll})(${JSON.stringify(look)})`);
}

/** Collects the garbage of every page of a Firefox. */
export function collectInFirefox(page: Page): Promise<void> {
  return runInside(page, `(${collectAll})()`);
}

async function runInside(page: Page, expression: string): Promise<void> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("The page has no browser of its own.");
  const session = sessionOf(browser);
  const { contexts } = await session.send("browsingContext.getTree", { "moz:scope": "chrome", maxDepth: 0 });
  const window = contexts[0];
  if (window === undefined) throw new Error("Firefox has no window.");
  const target = { context: window.context };
  const result = await session.send("script.evaluate", { target, expression, awaitPromise: false });
  if (result.type !== "success") throw new Error(`Firefox refused: ${result.exceptionDetails?.text}`);
}

/** Playwright has no public way to send a BiDi command, so the connection is taken from its internals. */
function sessionOf(browser: Browser): BidiSession {
  const { _connection: connection } = browser as unknown as {
    _connection?: { toImpl?(api: Browser): { _browserSession?: BidiSession } };
  };
  const session = connection?.toImpl?.(browser)._browserSession;
  if (session === undefined) throw new Error("This playwright-core keeps its connection to Firefox elsewhere.");
  return session;
}

/** The parts of Firefox's own objects that {@link overrideAll} uses. */
interface FirefoxContext {
  prefersColorSchemeOverride: string;
  forcedColorsOverride: string;
  prefersReducedMotionOverride: string;
  overrideDPPX: number;
}

interface FirefoxWindow {
  readonly gBrowser: { readonly tabs: readonly { linkedBrowser: { browsingContext: FirefoxContext } }[] };
}

declare const Services: {
  readonly wm: { getEnumerator(type: string): Iterable<FirefoxWindow> };
  readonly obs: { notifyObservers(subject: null, topic: string): void };
};

/** Runs inside Firefox. */
function overrideAll({ colorScheme, forcedColors, reducedMotion, scale }: FirefoxLook): void {
  for (const { gBrowser } of Services.wm.getEnumerator("navigator:browser")) {
    for (const { linkedBrowser } of gBrowser.tabs) {
      const context = linkedBrowser.browsingContext;
      context.prefersColorSchemeOverride = colorScheme;
      context.forcedColorsOverride = forcedColors;
      context.prefersReducedMotionOverride = reducedMotion;
      context.overrideDPPX = scale;
    }
  }
}

/** Runs inside Firefox. Scripts and nodes have separate collectors, so it takes more than one pass. */
function collectAll(): void {
  for (const topic of ["child-gc-request", "child-cc-request", "child-gc-request"]) {
    Services.obs.notifyObservers(null, topic);
  }
}
