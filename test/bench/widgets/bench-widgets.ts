import { existsSync } from "node:fs";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { openBrowser } from "../../e2e/support/open-browser.ts";
import { Product } from "../../e2e/support/product.ts";
import { type Spread, spreadOf } from "../statistics.ts";
import { definePlainText, type Mounted, type MountTimes, mount } from "./mount-timer.ts";

/** The times that one kind of element took to mount. */
interface MountReport {
  readonly mounted: Mounted;
  /** True if the page was just opened, as a customer's is: nothing is compiled yet. */
  readonly isFirst: boolean;
  readonly drawnMs: Spread;
  readonly shownMs: Spread;
  /** Processor time of the page's main thread: other work on the machine is not in it. */
  readonly busyMs: Spread;
}

/** The results of mounting. */
export interface WidgetsReport {
  readonly mounts: readonly MountReport[];
  /** Median time until painted of `<pay-qr>` on a page just opened, over that of the plain element. */
  readonly ratio: number;
  /** The nodes and listeners that many mounts left on one page after a garbage collection. */
  readonly retained: { readonly mounts: number; readonly nodes: number; readonly listeners: number };
}

const SCRIPT = "dist/widgets/pay-qr.js";
const PAGES = 21;
/** Mounts on a page that has mounted one. */
const MOUNTS_AGAIN = 5;
const MOUNTS = 1_000;
/** Mounts that are not counted: they leave what is the script's own, its templates and styles. */
const FIRST_MOUNTS = 20;
const EXPIRES_IN_SECONDS = 1_800;
const KINDS: readonly Mounted[] = ["plain-text", "pay-qr"];

/** Mounts `<pay-qr>` as it is built in a real browser, against a broker, a service and a database as they ship. */
export async function benchWidgets(interrupted: Promise<never>, tell: (line: string) => void): Promise<WidgetsReport> {
  if (!existsSync(SCRIPT)) throw new Error(`${SCRIPT} is not there: run npm run build before the bench.`);
  tell("Starting the product and a Chromium …");
  const [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  try {
    return await Promise.race([measure(product, browser, tell), interrupted]);
  } finally {
    await browser.close();
    await product.remove();
  }
}

async function measure(product: Product, browser: Browser, tell: (line: string) => void): Promise<WidgetsReport> {
  const session = await startSession(product);
  const context = await browser.newContext({ locale: "es-CO" });
  await context.route("**/bench.html", (route) => route.fulfill({ contentType: "text/html", body: PAGE }));
  const onPage = <T>(use: (open: OpenPage) => Promise<T>): Promise<T> => onFreshPage(context, product, session, use);
  const taken: Taken[] = [];
  tell(`Mounting each element on ${PAGES} fresh pages …`);
  for (let round = 0; round < PAGES; round++) {
    // The elements take turns in going first.
    for (const mounted of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
      await onPage(async (open) => {
        taken.push({ mounted, isFirst: true, ...(await timed(open, mounted, session, 1)) });
        taken.push({ mounted, isFirst: false, ...(await timed(open, mounted, session, MOUNTS_AGAIN)) });
      });
    }
  }
  tell(`Mounting and taking away ${MOUNTS} on one page …`);
  const retained = await onPage((open) => retainedBy(open, session));
  return { ...summarize(taken), retained: { mounts: MOUNTS, ...retained } };
}

/** A page, and the developer tools that look at it. */
interface OpenPage {
  readonly page: Page;
  readonly tools: CDPSession;
}

/** Mounts of one page, with the processor time of each. */
interface Taken {
  readonly mounted: Mounted;
  readonly isFirst: boolean;
  readonly times: readonly MountTimes[];
  readonly busyMs: number;
}

async function timed(
  open: OpenPage,
  mounted: Mounted,
  session: string,
  times: number,
): Promise<Omit<Taken, "mounted" | "isFirst">> {
  const before = await metricsOf(open);
  const mounts = await mount(open.page, mounted, session, times);
  const after = await metricsOf(open);
  return { times: mounts, busyMs: ((after.taskSeconds - before.taskSeconds) * 1000) / times };
}

function summarize(taken: readonly Taken[]): Pick<WidgetsReport, "mounts" | "ratio"> {
  const report = (mounted: Mounted, isFirst: boolean): MountReport => {
    const own = taken.filter((one) => one.mounted === mounted && one.isFirst === isFirst);
    const times = own.flatMap((one) => one.times);
    return {
      mounted,
      isFirst,
      drawnMs: spreadOf(times.map(({ drawnMs }) => drawnMs)),
      shownMs: spreadOf(times.map(({ shownMs }) => shownMs)),
      busyMs: spreadOf(own.map(({ busyMs }) => busyMs)),
    };
  };
  const mounts = [true, false].flatMap((isFirst) => KINDS.map((mounted) => report(mounted, isFirst)));
  const [plain, payQr] = mounts.map(({ shownMs }) => shownMs.median);
  return { mounts, ratio: (payQr ?? Number.NaN) / (plain ?? Number.NaN) };
}

const PAGE = `<!doctype html><html lang="es"><meta charset="utf-8"><title>Bench</title>
<script type="module" src="/widgets/pay-qr.js"></script><body></body></html>`;

async function onFreshPage<T>(
  context: BrowserContext,
  { origin }: Product,
  session: string,
  use: (open: OpenPage) => Promise<T>,
): Promise<T> {
  const page = await context.newPage();
  try {
    await page.goto(`${origin}/bench.html`);
    await definePlainText(page, session);
    const tools = await context.newCDPSession(page);
    // The metrics count from here on; a session of the tools that ends loses them.
    await tools.send("Performance.enable", { timeDomain: "threadTicks" });
    return await use({ page, tools });
  } finally {
    await page.close();
  }
}

async function startSession({ origin, demo }: Product): Promise<string> {
  const response = await fetch(`${origin}/v1/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${demo.merchant_keys.server_key}`, "content-type": "application/json" },
    body: JSON.stringify({ kind: "pay", amount: 25_000, order: "BENCH1", origin, expires_in: EXPIRES_IN_SECONDS }),
  });
  if (!response.ok) throw new Error(`the broker made no session: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { session: string }).session;
}

async function retainedBy(open: OpenPage, session: string): Promise<{ nodes: number; listeners: number }> {
  await mount(open.page, "pay-qr", session, FIRST_MOUNTS);
  const before = await metricsOf(open);
  await mount(open.page, "pay-qr", session, MOUNTS);
  const after = await metricsOf(open);
  return { nodes: after.nodes - before.nodes, listeners: after.listeners - before.listeners };
}

interface PageMetrics {
  readonly nodes: number;
  readonly listeners: number;
  readonly taskSeconds: number;
}

/** Reads the nodes and listeners on the page after a garbage collection, and its main thread's processor time. */
async function metricsOf({ tools }: OpenPage): Promise<PageMetrics> {
  await tools.send("HeapProfiler.collectGarbage");
  const { metrics } = await tools.send("Performance.getMetrics");
  const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { nodes: value("Nodes"), listeners: value("JSEventListeners"), taskSeconds: value("TaskDuration") };
}
