import axe from "axe-core";

/** Fails unless a condition holds; the error gives the value found instead. */
export function expectTrue(holds: boolean, found: unknown): void {
  if (!holds) throw new Error(`expected otherwise: ${String(found)}`);
}

/** Fails unless two values are the same when written as JSON. */
export function expectEqual(found: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right) throw new Error(`expected ${right}, and found ${left}`);
}

/** Removes everything from the page's body; tests run it after each test (`afterEach`). */
export function afterEachPage(): void {
  document.body.replaceChildren();
}

/** Waits for some time. */
export function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/** Waits until a condition holds; throws after `timeoutMs`, naming `what` it waited for. */
export async function until(isSo: () => boolean, what: string, timeoutMs = 10_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await pause(20);
  }
}

/** Collects the page's uncaught errors while a function runs; the runner's own listener does not see them. */
export async function pageErrorsDuring(happens: () => Promise<void>): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  const listen = (event: ErrorEvent): void => {
    errors.push(event.error);
    event.preventDefault();
  };
  const runnersHandler = window.onerror;
  window.onerror = null;
  window.addEventListener("error", listen);
  try {
    await happens();
  } finally {
    window.removeEventListener("error", listen);
    window.onerror = runnersHandler;
  }
  return errors;
}

/** Records, for the next event of a type, its target as the document sees it. */
export function documentHears(type: string): { readonly target: EventTarget | null } {
  const heard: { target: EventTarget | null } = { target: null };
  document.addEventListener(
    type,
    (event) => {
      heard.target = event.target;
    },
    { once: true },
  );
  return heard;
}

/** A browser that the element tests run in. */
type BrowserName = "chromium" | "firefox";

/** Which browser this is. */
const browserName: BrowserName = navigator.userAgent.includes("Firefox/") ? "firefox" : "chromium";

/** Names this page among all that run at the same time in every browser, for what tests share at a server. */
export const pageId = new URL(location.href).searchParams.get("wtr-session-id") ?? "alone";

/** Sends the test runner a command that a page cannot run itself; the runner's own client is no dependency of ours. */
async function command<T>(name: string, payload: unknown = {}): Promise<T> {
  const address = "/__web-dev-server__web-socket.js";
  const { sendMessageWaitForResponse } = await import(/* @vite-ignore */ address);
  const response = await sendMessageWaitForResponse({
    type: "wtr-command",
    sessionId: pageId,
    command: name,
    payload,
  });
  if (!response.executed) throw new Error(`the test runner does not know ${name}`);
  return response.result;
}

/** Declares tests for one browser only; elsewhere they are left out, and the test run says why. */
export function only(browser: BrowserName, reason: string, declare: () => void): void {
  if (browser === browserName) declare();
  else command("cupo:left-out", { reason }).catch(reportError);
}

/**
 * How the browser shows pages: media features, the page's width in CSS pixels, device pixels for each of them, and
 * whether fingers touch them, which no mouse does (Chromium alone).
 */
export interface MediaFeatures {
  readonly colorScheme?: "light" | "dark";
  readonly forcedColors?: "active" | "none";
  readonly reducedMotion?: "reduce" | "no-preference";
  readonly width?: number;
  readonly scale?: number;
  readonly phone?: boolean;
}

/** Sets how the browser shows pages from now on, with defaults for absent fields. Checks that it took effect. */
export async function setMediaFeatures(look: MediaFeatures = {}): Promise<void> {
  await command("cupo:look", look);
  const {
    colorScheme = "light",
    forcedColors = "none",
    reducedMotion = "no-preference",
    width = 800,
    scale = 1,
    phone = false,
  } = look;
  const isSo = () =>
    matchMedia(`(prefers-color-scheme: ${colorScheme})`).matches &&
    matchMedia(`(forced-colors: ${forcedColors})`).matches &&
    matchMedia(`(prefers-reduced-motion: ${reducedMotion})`).matches &&
    matchMedia("(hover: none) and (pointer: coarse)").matches === phone &&
    innerWidth === width &&
    devicePixelRatio === scale;
  await until(isSo, `the look ${JSON.stringify(look)}`);
  await nextFrame();
}

/** Waits for the next animation frame. */
export function nextFrame(): Promise<unknown> {
  return new Promise(requestAnimationFrame);
}

/** A part of the page, in CSS pixels from the page's corner. */
type Rectangle = Pick<DOMRectReadOnly, "x" | "y" | "width" | "height">;

/** The pixels of a part of the page as they are on the screen. */
async function screenshot({ x, y, width, height }: Rectangle): Promise<ImageData> {
  const wanted = width * devicePixelRatio;
  const png = await command<string>("cupo:screenshot", { x, y, width, height });
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  expectTrue(Math.abs(bitmap.width - wanted) <= 2, `${bitmap.width} device pixels for ${wanted}`);
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  if (context === null) throw new Error("no canvas");
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

/** Captures the pixels of an element as they are on the screen. */
export async function pixelsOf(element: Element): Promise<ImageData> {
  element.scrollIntoView({ block: "center" });
  await nextFrame();
  const { x, y, width, height } = element.getBoundingClientRect();
  return screenshot({ x: x + scrollX, y: y + scrollY, width, height });
}

/** Returns an element's accessibility tree as text: roles, names and states, those in shadow roots too. */
export async function ariaSnapshotOf(element: Element): Promise<string> {
  const mark = `snapshot-${performance.now()}`;
  element.setAttribute("data-asked", mark);
  try {
    return await command<string>("cupo:aria-snapshot", { selector: `[data-asked="${mark}"]` });
  } finally {
    element.removeAttribute("data-asked");
  }
}

/** Counts the objects that are still referenced after a garbage collection. */
export async function heldOf(things: readonly WeakRef<object>[]): Promise<number> {
  await command("cupo:collect-garbage");
  // Objects that were dereferenced stay until the task ends, and the collectors of other processes take a moment.
  await pause(100);
  return things.filter((thing) => thing.deref() !== undefined).length;
}

/** The nodes and listeners of a page. */
interface PageMemory {
  readonly Nodes: number;
  readonly JSEventListeners: number;
}

/** Reads the page's node and listener counts after a garbage collection; Chromium only. */
export function memory(): Promise<PageMemory> {
  return command("cupo:memory");
}

const LET_GO_WITHIN_MS = 20_000;

/** Fails if the page keeps more than before: requests that are under way let their elements go when they end. */
export async function expectNothingKept(before: PageMemory): Promise<void> {
  const until = performance.now() + LET_GO_WITHIN_MS;
  for (;;) {
    await pause(300);
    const after = await memory();
    const isLetGo = after.JSEventListeners - before.JSEventListeners <= 5 && after.Nodes - before.Nodes <= 100;
    if (isLetGo || performance.now() > until) return expectTrue(isLetGo, JSON.stringify([before, after]));
  }
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Fails if axe finds a violation: of every stable rule for WCAG 2.2 A and AA, including one that is off by default, and
 * for an element of its best practices. A whole test page lacks the headings and landmarks that those require.
 */
export async function expectAccessible(shown: Element | Document): Promise<void> {
  for (const animation of animationsOf(shown)) stillAtWorst(animation);
  const settled = axe.getRules(WCAG).filter(({ tags }) => !tags.includes("experimental"));
  const rules = Object.fromEntries(settled.map(({ ruleId }) => [ruleId, { enabled: true }]));
  const tags = shown instanceof Document ? { runOnly: WCAG } : {};
  const { violations, passes } = await axe.run(shown, { resultTypes: ["violations"], rules, ...tags });
  expectEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, target }) => `${target} ${html}`).join(" ")}`),
    [],
  );
  expectTrue(passes.length > 5, `axe has looked at too little: ${passes.map(({ id }) => id)}`);
}

/** Returns the animations of a page or element: a half-faded colour would fail the contrast rules. */
function animationsOf(shown: Element | Document): Animation[] {
  if (shown instanceof Document) return shown.getAnimations();
  return [...shown.getAnimations({ subtree: true }), ...(shown.shadowRoot?.getAnimations() ?? [])];
}

/** Ends an animation that runs once; pauses a repeating one where it is faintest, because people read it there too. */
function stillAtWorst(animation: Animation): void {
  const { iterations = 1, duration = 0 } = animation.effect?.getTiming() ?? {};
  animation.pause();
  if (iterations === Number.POSITIVE_INFINITY) animation.currentTime = Number(duration);
  else animation.cancel();
}
