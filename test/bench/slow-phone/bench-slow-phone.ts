import { existsSync } from "node:fs";
import type { Browser, Locator } from "playwright-core";
import { showToCamera } from "../../e2e/support/camera.ts";
import { openBrowser } from "../../e2e/support/open-browser.ts";
import { Phone } from "../../e2e/support/phone.ts";
import { Product } from "../../e2e/support/product.ts";
import { ServiceApi } from "../../e2e/support/service-api.ts";
import { Shop } from "../../e2e/support/shop.ts";
import { type Spread, spreadOf } from "../statistics.ts";
import { feedbackOf, watchFeedback } from "./watch-feedback.ts";

/** Waiting times on a slow phone that has nothing of the app yet. */
export interface SlowPhoneReport {
  readonly rounds: number;
  /** From opening the app until its first button can be pressed. */
  readonly welcomeMs: Spread;
  /** From the press on Scan, with a code before the camera, until the code is read. */
  readonly codeReadMs: Spread;
  /** From a press until the first frame that shows an answer, by what is pressed. */
  readonly feedbackMs: Readonly<Record<string, Spread>>;
}

const ROUNDS = 5;
/** Slow 3G: milliseconds of latency, and bytes a second. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 } as const;
/** How many times slower the processor is made. */
const SLOWDOWN = 4;
const TIMEOUT_MS = 60_000;

/** Measures waiting times of the app as it is built: a slow network, a slow processor, and nothing in the cache. */
export async function benchSlowPhone(
  interrupted: Promise<never>,
  tell: (line: string) => void,
): Promise<SlowPhoneReport> {
  if (!existsSync("dist/app/index.html")) throw new Error("dist/app is not there: run npm run build before the bench.");
  tell("Starting the product and a Chromium …");
  const [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  try {
    return await Promise.race([measure(browser, product, tell), interrupted]);
  } finally {
    await browser.close();
    await product.remove();
  }
}

async function measure(browser: Browser, product: Product, tell: (line: string) => void): Promise<SlowPhoneReport> {
  const { merchant, payer } = product.demo.users;
  const earlier = { from_user_id: payer.id, to_user_id: merchant.id, amount: 8_000 };
  await (await ServiceApi.of(product.demo)).client.createTransaction({ body: earlier });
  const taken: { readonly name: string; readonly ms: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    tell(`On a slow phone, ${round + 1} of ${ROUNDS} …`);
    const shop = await Shop.open(browser, product);
    const qrImage = await shop.qrImage();
    await shop.context.close();
    const phone = await slowPhone(browser, product);
    for await (const one of waits(phone, qrImage)) taken.push(one);
    await phone.context.close();
  }
  const names = [...new Set(taken.map(({ name }) => name))];
  const spreads = names.map((name) => [name, spreadOf(taken.filter((one) => one.name === name).map(({ ms }) => ms))]);
  const { welcome, "code read": codeRead, ...feedbackMs } = Object.fromEntries(spreads) as Record<string, Spread>;
  if (welcome === undefined || codeRead === undefined) throw new Error("nothing was measured");
  return { rounds: ROUNDS, welcomeMs: welcome, codeReadMs: codeRead, feedbackMs };
}

/** A phone without a cache: its service worker, whose own requests no tool slows down, is left out. */
async function slowPhone(browser: Browser, product: Product): Promise<Phone> {
  const phone = await Phone.take(browser, product, { serviceWorkers: "block" });
  phone.context.setDefaultTimeout(TIMEOUT_MS);
  await watchFeedback(phone.page);
  const tools = await phone.context.newCDPSession(phone.page);
  await tools.send("Network.enable");
  await tools.send("Network.emulateNetworkConditions", SLOW_3G);
  await tools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  return phone;
}

/** Signs in, looks around and pays, each page for the first time; yields each wait. */
async function* waits(phone: Phone, qrImage: Buffer): AsyncGenerator<{ readonly name: string; readonly ms: number }> {
  const { page, words } = phone;
  const link = (name: string): Locator => page.getByRole("link", { name, exact: true });
  const press = async (name: string, place: Locator): Promise<{ readonly name: string; readonly ms: number }> => {
    await place.click();
    return { name, ms: await feedbackOf(page) };
  };
  const home = async (): Promise<void> => {
    await link(words.tabs.home).click();
    await page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
  };
  const startedAt = performance.now();
  void phone.open("/").catch(() => undefined);
  const signIn = page.getByRole("button", { name: words.welcome.continueAs("Ana") });
  await signIn.click({ trial: true });
  yield { name: "welcome", ms: performance.now() - startedAt };
  yield await press("sign in", signIn);
  await page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
  for (const tab of ["history", "receive", "profile"] as const) {
    yield await press(`tab ${tab}`, link(words.tabs[tab]));
    await page.locator(`cupo-${tab}-page`).waitFor();
    await home();
  }
  yield await press("Transfer on Home", link(words.home.transfer));
  await page.locator("cupo-transfer-page").waitFor();
  await page.goBack();
  yield await press("Summary on Home", link(words.list.statements));
  await page.locator("cupo-summary-page table, cupo-summary-page .notice").first().waitFor();
  await page.goBack();
  yield await press("a movement on Home", page.locator("cupo-home-page cupo-movement-list a.row").first());
  await page.locator("cupo-receipt-page .who").waitFor();
  await page.goBack();
  const scan = link(words.tabs.scan);
  await showToCamera(page, qrImage);
  const scanAt = performance.now();
  yield await press("tab scan", scan);
  await page.locator("cupo-confirm-page").waitFor();
  yield { name: "code read", ms: performance.now() - scanAt };
  yield await press("Pay", phone.payButton);
  await page.locator(".receipt h1").waitFor();
}
