import { existsSync } from "node:fs";
import type { CDPSession, Page } from "playwright-core";
import { openBrowser } from "../../e2e/support/open-browser.ts";
import { Phone } from "../../e2e/support/phone.ts";
import { Product } from "../../e2e/support/product.ts";
import { percentile, type Spread, spreadOf } from "../statistics.ts";
import { longHistory, serveHistory } from "./long-history.ts";
import { type ScrollTimes, scroll } from "./scroll-frames.ts";

/** The results of scrolling at one speed. */
interface ScrollReport {
  /** CSS pixels a second. */
  readonly speed: number;
  /** How many times slower the page's processor was made. */
  readonly slowdown: number;
  readonly framesPerSecond: Spread;
  /** The frame that took longer than 99 of 100. */
  readonly slowFrameMs: number;
  /** The share of the time for which the page's main thread had a processor: others on the machine are not in it. */
  readonly busyShare: number;
  readonly blankShare: number;
}

/** The costs of a long history on a phone. */
export interface HistoryReport {
  readonly rows: number;
  readonly scrolls: readonly ScrollReport[];
  readonly mostRows: number;
  /** From signing in until the whole history is read. */
  readonly firstSyncMs: number;
  /** From opening the app until the first rows, and the search over all of them, are there. */
  readonly openMs: Spread;
  /** From a key until the matching rows are drawn. */
  readonly searchMs: Spread;
}

const ROWS = 10_000;
const ROUNDS = 3;
const SCROLL_MS = 4_000;
const SPEEDS: readonly (readonly [speed: number, slowdown: number])[] = [
  [2_000, 1],
  [6_000, 1],
  [2_000, 4],
];

/** Scrolls and searches ten thousand movements in the app as it is built, in a real browser. */
export async function benchHistory(interrupted: Promise<never>, tell: (line: string) => void): Promise<HistoryReport> {
  if (!existsSync("dist/app/index.html")) throw new Error("dist/app is not there: run npm run build before the bench.");
  tell("Starting the product and a Chromium …");
  const [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  try {
    return await Promise.race([measure(await Phone.take(browser, product), tell), interrupted]);
  } finally {
    await browser.close();
    await product.remove();
  }
}

async function measure(phone: Phone, tell: (line: string) => void): Promise<HistoryReport> {
  const { context, page, words } = phone;
  await serveHistory(context, longHistory(ROWS, Date.now()));
  tell(`Reading ${ROWS} movements for the first time …`);
  const startedAt = performance.now();
  await phone.continueAs("payer");
  await page.getByRole("link", { name: words.tabs.history }).click();
  await page.locator("cupo-movement-list .row").first().waitFor();
  await page.getByText(words.search.loadingOlder).waitFor({ state: "detached", timeout: 120_000 });
  const firstSyncMs = performance.now() - startedAt;
  await phone.untilKept();
  tell("Opening it again …");
  const openMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) openMs.push(await openTime(phone));
  const tools = await context.newCDPSession(page);
  await tools.send("Performance.enable", { timeDomain: "threadTicks" });
  const taken: Taken[] = [];
  for (const [speed, slowdown] of SPEEDS) {
    tell(`Scrolling at ${speed} pixels a second${slowdown > 1 ? `, the processor ${slowdown} times slower` : ""} …`);
    await tools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    for (let round = 0; round < ROUNDS; round++) {
      await page.evaluate(() => scrollTo(0, 0));
      const before = await busySeconds(tools);
      const times = await scroll(page, speed, SCROLL_MS);
      taken.push({ speed, slowdown, times, busyMs: ((await busySeconds(tools)) - before) * 1_000 });
    }
  }
  await tools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  const searchMs: number[] = [];
  for (const text of ["c", "ca", "caf", "cafe", "cafe 1", "zz", ""]) searchMs.push(await searchTime(page, text));
  return {
    rows: ROWS,
    scrolls: SPEEDS.map(([speed, slowdown]) => summary(speed, slowdown, taken)),
    mostRows: Math.max(...taken.map(({ times }) => times.mostRows)),
    firstSyncMs,
    openMs: spreadOf(openMs),
    searchMs: spreadOf(searchMs),
  };
}

/** One scrolling, and the processor time that it took of the main thread. */
interface Taken {
  readonly speed: number;
  readonly slowdown: number;
  readonly times: ScrollTimes;
  readonly busyMs: number;
}

async function busySeconds(tools: CDPSession): Promise<number> {
  const { metrics } = await tools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
}

async function openTime(phone: Phone): Promise<number> {
  const startedAt = performance.now();
  await phone.open("/history");
  await phone.page.locator("cupo-movement-list .row").first().waitFor();
  const shownMs = performance.now() - startedAt;
  await phone.page.getByRole("button", { name: phone.words.common.refresh, disabled: false }).waitFor();
  return shownMs;
}

/** Measures the time from a key until the frame in which the list shows the matching rows. */
function searchTime(page: Page, text: string): Promise<number> {
  return page.locator("cupo-history-page input[type=search]").evaluate(async (field, typed) => {
    const input = field as HTMLInputElement;
    input.value = typed;
    const startedAt = performance.now();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done, 0));
    return performance.now() - startedAt;
  }, text);
}

function summary(speed: number, slowdown: number, taken: readonly Taken[]): ScrollReport {
  const own = taken.filter((one) => one.speed === speed && one.slowdown === slowdown);
  const perSecond = own.map(
    ({ times: { framesMs } }) => framesMs.length / (framesMs.reduce((sum, ms) => sum + ms, 0) / 1_000),
  );
  const framesMs = own.flatMap(({ times }) => times.framesMs);
  const sum = (of: (one: Taken) => number): number => own.reduce((total, one) => total + of(one), 0);
  return {
    speed,
    slowdown,
    framesPerSecond: spreadOf(perSecond),
    slowFrameMs: percentile(framesMs, 0.99),
    busyShare: sum(({ busyMs }) => busyMs) / framesMs.reduce((total, ms) => total + ms, 0),
    blankShare:
      sum(({ times }) => times.blankFrames) /
      Math.max(
        1,
        sum(({ times }) => times.looks),
      ),
  };
}
