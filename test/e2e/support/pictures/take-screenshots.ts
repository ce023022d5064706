import { writeFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { WAIT_TIMEOUT_MS } from "../open-browser.ts";
import type { Product } from "../product.ts";
import { ServiceApi } from "../service-api.ts";

const LOCALE = "es-CO";
/** 1080 × 2220, as a store shows a phone, and a small desktop. */
const NARROW = Object.freeze({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 3, hasTouch: true });
const SHOP = Object.freeze({ viewport: { width: 1_100, height: 880 } });
const WIDE = Object.freeze({ viewport: { width: 1_280, height: 800 } });

/** Payments of an ordinary day. */
const PAID = Object.freeze([18_500, 7_200, 42_000, 25_000]);

async function signedIn(browser: Browser, { demo }: Product, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: LOCALE, colorScheme: "light", ...options });
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  const page = await context.newPage();
  await page.goto(demo.users.payer.sign_in_url);
  await page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
  return page;
}

async function openToPay(page: Page, { origin, demo }: Product, amount: number): Promise<void> {
  const { payload } = await (await ServiceApi.of(demo)).makeQr({ amount });
  await page.goto(`${origin}/p#${encodeURIComponent(payload)}`);
  await page.locator("cupo-pay-button button:enabled").waitFor();
}

/** Draws a shop's page and the phone that pays it beside each other, as the README shows them. */
async function takeShopAndPhone(browser: Browser, phone: Page, { origin }: Product): Promise<Buffer> {
  const shop = await browser.newPage({ ...SHOP, locale: LOCALE, colorScheme: "light" });
  await shop.goto(`${origin}/demo/`);
  const link = (await shop.locator("pay-qr a[part~=open]").getAttribute("href")) ?? "";
  await phone.goto(link);
  await phone.locator("cupo-pay-button button:enabled").waitFor();
  const pictures = await Promise.all([shop, phone].map((page) => page.screenshot({ animations: "disabled" })));
  const [left, right] = pictures.map((picture) => `data:image/png;base64,${picture.toString("base64")}`);
  const both = await browser.newPage({ viewport: { width: 1_570, height: 920 } });
  await both.setContent(`<style>
      body { margin: 0; padding: 20px; display: flex; gap: 24px; align-items: center; background: #f5f4f1 }
      .phone { box-sizing: border-box; width: 406px; border: 5px solid #10201c }
    </style><img src="${left}"><img class="phone" src="${right}">`);
  const picture = await both.locator("body").screenshot();
  await Promise.all([shop, both].map((page) => page.close()));
  return picture;
}

/**
 * Takes the manifest's screenshots of the running app: paying, the quota, one's own code, the quota on a desktop; and
 * the README's picture.
 */
export async function takeScreenshots(browser: Browser, product: Product, folder: string): Promise<void> {
  const keep = async (page: Page, name: string): Promise<void> => {
    await page.evaluate(() => document.fonts.ready);
    writeFileSync(`${folder}/${name}.png`, await page.screenshot({ animations: "disabled" }));
  };
  const phone = await signedIn(browser, product, NARROW);
  for (const amount of PAID) {
    await openToPay(phone, product, amount);
    await phone.locator("cupo-pay-button button:enabled").click();
    await phone.locator("cupo-confirm-page .receipt").waitFor();
  }
  await openToPay(phone, product, 16_900);
  await keep(phone, "narrow-pay");
  await phone.goto(`${product.origin}/`);
  await phone.locator("cupo-movement-list li").nth(3).waitFor();
  await keep(phone, "narrow-home");
  await phone.goto(`${product.origin}/receive`);
  await phone.locator("cupo-receive-page svg[role=img]").waitFor();
  await keep(phone, "narrow-receive");
  const desk = await signedIn(browser, product, WIDE);
  await desk.locator("cupo-movement-list li").nth(3).waitFor();
  await keep(desk, "wide-home");
  writeFileSync(`${folder}/shop-and-phone.png`, await takeShopAndPhone(browser, phone, product));
}
