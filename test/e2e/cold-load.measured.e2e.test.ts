import { readFileSync } from "node:fs";
import type { Result } from "lighthouse";
import { afterAll, beforeAll, expect, it } from "vitest";
import { firstPageScripts } from "../../build/first-page.ts";
import { type Category, LighthouseRun } from "./support/lighthouse-run.ts";
import { Product } from "./support/product.ts";
import { ServiceApi } from "./support/service-api.ts";

let product: Product;
let run: LighthouseRun;

beforeAll(async () => {
  product = await Product.start();
  const { payer, merchant } = product.demo.users;
  const body = { from_user_id: payer.id, to_user_id: merchant.id, amount: 8_000 };
  await (await ServiceApi.of(product.demo)).client.createTransaction({ body });
  run = await LighthouseRun.open(product);
});

afterAll(async () => {
  await run?.profile.end();
  await product?.remove();
});

/** The times that make up the score of performance are measured by `npm run bench -- --only lighthouse`. */
const CATEGORIES: readonly Category[] = ["accessibility", "best-practices"];

/** The titles of the audits that lower a score. */
function faultsOf({ audits, categories }: Result): readonly string[] {
  return Object.values(categories)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ weight }) => weight > 0)
    .map(({ id }) => audits[id])
    .flatMap((audit) => ((audit?.score ?? 1) < 0.9 ? [`${audit?.title}: ${audit?.displayValue ?? ""}`] : []));
}

it.each([
  ["Home", "/"],
  ["Scan", "/scan"],
  ["History", "/history"],
  ["The shop's page", "/demo/"],
  ["The till", "/demo/till.html"],
  ["The customer's page", "/demo/customer.html"],
  ["The page of elements", "/demo/elements.html"],
])("%s has 100 of 100 on a phone for accessibility and best practices", async (_page, path) => {
  const result = await run.load(`${product.origin}${path}`, CATEGORIES);
  const scores = CATEGORIES.map((name) => result.categories[name]?.score);
  expect(scores, faultsOf(result).join("; ")).toEqual([1, 1]);
});

/** One cold load. */
interface Loaded {
  /** The scripts' paths below the app's folder. */
  readonly scripts: readonly string[];
  readonly shifts: readonly string[];
}

/** Opens a page as on a new device of a signed-in person, over a slow network; ends when nothing more is fetched. */
async function loadCold(path: string, loaded: string): Promise<Loaded> {
  const page = await run.profile.context.newPage();
  await page.goto(`${product.origin}/manifest.webmanifest`);
  await page.evaluate(async () => {
    for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
    for (const name of await caches.keys()) await caches.delete(name);
    for (const { name = "" } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => JSON.stringify(entry)))).observe({
      type: "layout-shift",
      buffered: true,
    });
    const shifts: string[] = [];
    Object.assign(globalThis, { shifts });
  });
  await page.route(/\/v1\/me(?:\/history|\/transfers)?(?:\?|$)/, async (route) => {
    await page.waitForTimeout(400);
    await route.continue();
  });
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname.slice(1));
  });
  const atRest = page.waitForRequest(/\/v1\/me\/events$/);
  await page.goto(`${product.origin}${path}`);
  await page.locator(loaded).waitFor();
  await atRest;
  await page.evaluate(() => navigator.serviceWorker.ready);
  const shifts = (await page.evaluate("shifts")) as readonly string[];
  await page.close();
  return { scripts: scripts.sort(), shifts };
}

it("Home loads from a cold start only what its budget counts, and nothing moves when the data comes", async () => {
  const loaded = await loadCold("/", "cupo-home-page .quota[aria-busy=false]");
  expect(loaded).toEqual({ scripts: firstPageScripts("dist/app"), shifts: [] });
});

it.each([
  ["Scan", "/scan", "main .notice"],
  ["History", "/history", "cupo-movement-list .row"],
])(
  "%s loads every script that its document names, and nothing moves when the data comes",
  async (_page, path, loaded) => {
    const named = JSON.parse(readFileSync("dist/app/page-scripts.json", "utf8"))[path].es;
    const { scripts, shifts } = await loadCold(path, loaded);
    expect(scripts).toEqual(expect.arrayContaining(named));
    expect(shifts).toEqual([]);
  },
);
