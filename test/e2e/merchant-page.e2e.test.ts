import { type Browser, type BrowserContextOptions, firefox, type Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Integrity } from "../../build/write-integrity.ts";
import { findFirefox } from "../support/firefox.ts";
import { FIREFOX_ARGUMENTS, showInFirefox } from "../support/inside-firefox.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { HOSTILE, MerchantFixture } from "./support/merchant-page/merchant-fixture.ts";
import { HOSTILE_TILL, PRICE, type ShopPage } from "./support/merchant-page/merchant-shop.ts";
import { ShopWindow } from "./support/merchant-page/shop-window.ts";
import {
  ELEMENTS,
  elementsOf,
  FOREIGN_LIT_PLACE,
  FOREIGN_LIT_SCRIPT,
  HEARD,
  type PagePlace,
  STRICT_PAGES,
  scriptOf,
  sealOf,
  usualPage,
} from "./support/merchant-page/strict-pages.ts";
import { picture } from "./support/open-browser.ts";

const SETUP_MS = 120_000;
const SOON = { timeout: 15_000 };
const WORKING = { "pay-qr": "awaiting", "recharge-form": "find", "user-quota": "shown" };

const fixture = aBrowserFixture();
const firefoxPath = findFirefox("The merchant page in Firefox");
let merchant: MerchantFixture;
let place: PagePlace;
let ofFirefox: Browser | undefined;

beforeAll(async () => {
  merchant = await MerchantFixture.make(fixture.product, fixture.api.client);
  fixture.atEnd(() => merchant.shop.close());
  const { origin: broker } = fixture.product;
  const integrity = (await (await fetch(`${broker}/widgets/integrity.json`)).json()) as Integrity;
  place = { broker, integrity, grant: merchant.grant };
}, SETUP_MS);

async function browserOf(name: string): Promise<Browser> {
  if (name === "Chromium") return fixture.browser;
  if (ofFirefox === undefined) {
    const executablePath = firefoxPath ?? "";
    const opened = await firefox.launch({ channel: "moz-firefox", executablePath, args: [...FIREFOX_ARGUMENTS] });
    fixture.atEnd(() => opened.close());
    ofFirefox = opened;
  }
  return ofFirefox;
}

async function workingWindow(browser: Browser, page: ShopPage, options?: BrowserContextOptions): Promise<ShopWindow> {
  const window = await ShopWindow.open(browser, merchant.shop, page, options);
  await expect.poll(() => window.phases(), SOON).toEqual(WORKING);
  return window;
}

/** Pays what the card shows, and waits for the card and the shop to know it. */
async function expectPayable(window: ShopWindow): Promise<void> {
  expect(await merchant.pay(await window.payload())).toEqual({
    payee: HOSTILE.payee,
    amount: PRICE,
    state: "approved",
  });
  await expect.poll(() => window.phases(), SOON).toEqual({ ...WORKING, "pay-qr": "paid" });
  expect(await merchant.shop.orderOf(window.path)).toMatchObject({ state: "paid", amount: PRICE });
  expect(await window.heard()).toMatchObject({ "pay-ready": 1, "pay-paid": 1, "quota-loaded": 1 });
}

/** Expects no policy violation, no error, no token or data left on the page, and no cookie sent to the broker. */
async function expectClean(window: ShopWindow): Promise<void> {
  expect(await window.traces()).not.toMatch(/\b(?:ws|sk|lu)_|Bearer/);
  expect(await window.kept()).toBe(0);
  const { broker, shop } = await window.asked();
  expect(shop.some(({ cookie }) => cookie?.includes("canary"))).toBe(true);
  expect(broker.filter(({ cookie }) => cookie !== undefined)).toEqual([]);
  expect(broker.filter(({ url }) => new URL(url).pathname.startsWith("/v1/")).length).toBeGreaterThan(2);
  expect([...broker, ...shop].filter(({ url }) => /\b(?:ws|sk|lu)_/.test(url))).toEqual([]);
  await expectFaultless(window);
}

async function expectFaultless(window: ShopWindow): Promise<void> {
  // Firefox asks for the shop's own icon, which `default-src 'none'` refuses: no fault of the elements.
  window.watch.allow(/img-src.*favicon\.ico/s);
  expect(window.watch.takeFaults()).toEqual([]);
  await window.context.close();
}

/** Checks the features that only some of the pages have. */
async function expectLook({ page }: ShopWindow, name: string): Promise<void> {
  if (name.includes("Lit")) {
    const button = page.locator("#foreign-lit button");
    await button.evaluate((pressed) => (pressed as HTMLElement).click());
    expect(await button.textContent()).toBe("pressed 1");
  }
  if (name.includes("right to left")) {
    const cards = page.locator("[part=card]");
    const directions = await cards.evaluateAll((all) => all.map((card) => getComputedStyle(card).direction));
    expect(directions).toEqual(["rtl", "rtl", "rtl"]);
  }
  if (name.includes("forced")) {
    expect(await page.evaluate(() => matchMedia("(forced-colors: active)").matches)).toBe(true);
    const plate = page.locator("pay-qr [part=plate]");
    expect(await plate.evaluate((shown) => getComputedStyle(shown).backgroundColor)).toBe("rgb(255, 255, 255)");
  }
}

const BROWSERS = ["Chromium", ...(firefoxPath === undefined ? [] : ["Firefox"])];

describe.each(BROWSERS)("on a strict page of another origin, in %s,", (browserName) => {
  it.each(Object.keys(STRICT_PAGES))("the elements work and are paid %s, without a violation", async (name) => {
    const { page, window: options } = STRICT_PAGES[name] ?? { page: () => ({}) };
    const window = await workingWindow(await browserOf(browserName), usualPage(place, page(place)), options);
    if (browserName === "Firefox") {
      const forcedColors = options?.forcedColors === "active" ? "active" : "none";
      await showInFirefox(window.page, { colorScheme: "dark", forcedColors, reducedMotion: "no-preference", scale: 1 });
    }
    await expectLook(window, name);
    expect(await window.overflow()).toBeLessThanOrEqual(0);
    // In Firefox, taking a picture violates the page's policy by itself.
    if (browserName !== "Firefox") await picture(window.page, `70-${name.replace(/\W+/g, "-")}`);
    await expectPayable(window);
    await expectClean(window);
  });

  it("a Trusted Types policy that the page does not name is refused, and these tests see it", async () => {
    const page = { head: HEARD + FOREIGN_LIT_SCRIPT, body: FOREIGN_LIT_PLACE };
    const window = await ShopWindow.open(await browserOf(browserName), merchant.shop, page);
    const refusal = expect.stringContaining("violation of trusted-types: trusted-types-policy");
    await expect.poll(() => window.watch.takeFaults(), SOON).toContainEqual(refusal);
    expect(await window.page.locator("#foreign-lit").textContent()).toBe("");
    await window.context.close();
  });
});

/** Sells the customer whose name is markup a top-up, as a cashier does. */
async function sellTopUp(till: Locator): Promise<void> {
  await till.locator(".typed").fill("301 777 0002");
  await till.locator("[part~=next]").click();
  await till.locator("[part~=preset]").first().click();
  await till.locator("[part~=way-on]").click({ delay: 500 });
  await till.locator(".outcome.good").waitFor();
}

describe("names that are markup", () => {
  it("are shown as they are written, in all three elements", async () => {
    await merchant.becomeFirstParty();
    const body = elementsOf(place, `user=${merchant.customerId}`);
    const window = await workingWindow(fixture.browser, usualPage(place, { body }));
    const { page } = window;
    await sellTopUp(page.locator("recharge-form"));
    // However often it is refreshed, the broker asks for a quota once in a few seconds.
    const refreshed = async (): Promise<number> => {
      await page.locator("user-quota [part~=refresh]").click();
      return page.locator("user-quota [part~=movement]").count();
    };
    await expect.poll(refreshed, { ...SOON, interval: 1_000 }).toBe(1);
    const texts = await Promise.all(ELEMENTS.map((name) => page.locator(`${name} [part=card]`).innerText()));
    const [payment, till, quota] = texts.map((text) => text.replace(/\s+/g, " "));
    expect(payment).toContain(HOSTILE.payee);
    expect(till).toContain(`${HOSTILE.seller} · ${HOSTILE_TILL}`);
    expect(quota).toContain(HOSTILE.customer);
    expect(quota).toContain(HOSTILE.payee);
    expect(await page.locator("pay-qr [part=qr]").getAttribute("aria-label")).toContain(HOSTILE.payee);
    const made = ELEMENTS.map((name) => `${name} :is(img, script, b[onclick], [onload])`);
    expect(await page.locator(made.join()).count()).toBe(0);
    expect(await page.evaluate(() => "hacked" in globalThis)).toBe(false);
    await expectClean(window);
  });
});

describe("a page that means no good", () => {
  it("gets no element from a script with another hash", async () => {
    const wrong = sealOf(place, "pay-qr").replace(/sha384-..../, "sha384-AAAA");
    const right = sealOf(place, "user-quota");
    const head = HEARD + scriptOf(place, "pay-qr.js", wrong) + scriptOf(place, "user-quota.js", right);
    const window = await ShopWindow.open(fixture.browser, merchant.shop, usualPage(place, { head }));
    window.watch.allow(/Failed to find a valid digest in the 'integrity' attribute/);
    await expect.poll(() => window.phases(), SOON).toMatchObject({ "user-quota": "shown", "pay-qr": "undefined" });
    expect(await window.page.evaluate(() => customElements.get("pay-qr") === undefined)).toBe(true);
    await expectFaultless(window);
  });

  it("is paid what its backend said, whatever it writes over the amount", async () => {
    const window = await workingWindow(fixture.browser, usualPage(place));
    await window.page.locator("pay-qr").evaluate((element) => {
      element.setAttribute("amount", "1");
      const price = element.shadowRoot?.querySelector("[part=amount]");
      if (price != null) price.textContent = "$ 1";
    });
    await expect.poll(() => window.phases(), SOON).toEqual(WORKING);
    expect(await merchant.pay(await window.payload())).toMatchObject({ amount: PRICE, state: "approved" });
    await expect.poll(() => window.phases(), SOON).toMatchObject({ "pay-qr": "paid" });
    expect(await merchant.shop.orderOf(window.path)).toMatchObject({ state: "paid", amount: PRICE });
    await window.context.close();
  });

  it("gets no code for more than the merchant lets pages ask for", async () => {
    const body = `<pay-qr publishable-key="${merchant.merchant.publishable_key}" amount="30000"></pay-qr>`;
    const page = { head: HEARD + scriptOf(place, "pay-qr.js"), body };
    const window = await ShopWindow.open(fixture.browser, merchant.shop, page);
    await expect.poll(() => window.phases(), SOON).toEqual({ "pay-qr": "awaiting" });
    window.watch.allow(/status of 403 .*\/v1\/sessions\)$/);
    await window.page.locator("pay-qr").evaluate((element) => element.setAttribute("amount", "30000.01"));
    await expect.poll(() => window.phases(), SOON).toEqual({ "pay-qr": "failed" });
    expect(await window.traces()).not.toContain("000201");
    await expectFaultless(window);
  });

  it.each(["another origin", "the origin null"])("of %s shows nothing with a session that it took", async (whose) => {
    const session = await merchant.shop.startPayment(`taken by ${whose}`);
    const page: ShopPage = {
      head: HEARD + scriptOf(place, "pay-qr.js"),
      body: `<pay-qr data-given="${session}"></pay-qr><script src="/sandboxed.js"></script>`,
      sandboxed: whose === "the origin null",
    };
    const elsewhere = merchant.shop.origin.replace("localhost", "127.0.0.1");
    const options = whose === "another origin" ? { origin: elsewhere } : {};
    const window = await ShopWindow.open(fixture.browser, merchant.shop, page, options);
    window.watch.allow(/blocked by CORS policy/, /net::ERR_FAILED/);
    await window.page.waitForEvent("requestfailed", (request) => request.url().endsWith("/v1/session"));
    await expect.poll(() => window.heard(), SOON).toEqual({ "pay-error": 1 });
    expect(await window.phases()).toEqual({ "pay-qr": "loading" });
    expect(await window.page.locator("pay-qr [part=qr]").count()).toBe(0);
    await expectFaultless(window);
  });
});
