import type { CDPSession, Page } from "playwright-core";
import { collectInFirefox, showInFirefox } from "./inside-firefox.ts";

/** The media features, page width and device pixel ratio that a browser test may ask for. */
interface AskedLook {
  readonly colorScheme?: "light" | "dark";
  readonly forcedColors?: "active" | "none";
  readonly reducedMotion?: "reduce" | "no-preference";
  readonly width?: number;
  readonly scale?: number;
  readonly phone?: boolean;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type PageCommand = (page: Page, payload: unknown) => Promise<unknown>;

/** The commands that the browser's driver runs for a page, which cannot do so itself, by the name that it sends. */
export const PAGE_COMMANDS: Readonly<Record<string, PageCommand>> = Object.freeze({
  "cupo:look": async (page, payload) => {
    await show(page, payload as AskedLook);
    return true;
  },
  "cupo:screenshot": (page, payload) => pictureOf(page, payload as Rectangle),
  "cupo:aria-snapshot": (page, payload) => page.locator((payload as { selector: string }).selector).ariaSnapshot(),
  "cupo:collect-garbage": async (page) => {
    if (isFirefox(page)) await collectInFirefox(page);
    else await (await devToolsOf(page)).send("HeapProfiler.collectGarbage");
    return true;
  },
  "cupo:memory": (page) => memoryOf(page),
  "cupo:left-out": async (page, payload) => {
    const browser = page.context().browser()?.browserType().name();
    process.stderr.write(`Left out in ${browser}: ${(payload as { reason: string }).reason}\n`);
    return true;
  },
});

const HEIGHT = 900;

async function show(page: Page, look: AskedLook): Promise<void> {
  const {
    colorScheme = "light",
    forcedColors = "none",
    reducedMotion = "no-preference",
    width = 800,
    scale = 1,
    phone = false,
  } = look;
  await page.setViewportSize({ width, height: HEIGHT });
  const media = { colorScheme, forcedColors, reducedMotion };
  if (isFirefox(page)) return showInFirefox(page, { ...media, scale });
  await page.emulateMedia(media);
  const tools = await devToolsOf(page);
  await tools.send("Emulation.setTouchEmulationEnabled", { enabled: phone });
  await tools.send("Emulation.setDeviceMetricsOverride", {
    width,
    height: HEIGHT,
    deviceScaleFactor: scale,
    mobile: phone,
  });
}

async function pictureOf(page: Page, clip: Rectangle): Promise<string> {
  if (isFirefox(page)) return (await page.screenshot({ clip, fullPage: true })).toString("base64");
  // The session that emulates takes it: the page's own screenshot would reset the device metrics.
  const tools = await devToolsOf(page);
  const { data } = await tools.send("Page.captureScreenshot", { format: "png", clip: { ...clip, scale: 1 } });
  return data;
}

function isFirefox(page: Page): boolean {
  return page.context().browser()?.browserType().name() === "firefox";
}

/** Emulation ends with the session that asked for it. */
const devTools = new WeakMap<Page, Promise<CDPSession>>();

function devToolsOf(page: Page): Promise<CDPSession> {
  const known = devTools.get(page) ?? page.context().newCDPSession(page);
  devTools.set(page, known);
  return known;
}

/** Nodes and listeners that are still there after a garbage collection. */
async function memoryOf(page: Page): Promise<Record<string, number>> {
  const tools = await devToolsOf(page);
  await tools.send("Performance.enable");
  await tools.send("HeapProfiler.collectGarbage");
  const { metrics } = await tools.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
