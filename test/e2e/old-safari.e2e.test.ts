import type { BrowserContext } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { appPaths } from "../../pwa/platform/app-paths.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import type { Phone, PhoneOptions } from "./support/phone.ts";
import { isSettled } from "./support/visual/in-page.ts";

const SHOP = "Café La Candelaria";

/** Names that Safari 16.4 lacks, or that it has only in pages of an installed app, by the object that has them. */
const NEWER: Readonly<Record<string, readonly string[]>> = {
  globalThis: ["BarcodeDetector", "CloseWatcher", "Iterator", "navigation", "requestIdleCallback", "scheduler"],
  AbortSignal: ["any"],
  Array: ["fromAsync"],
  "Document.prototype": ["startViewTransition", "caretPositionFromPoint"],
  "Element.prototype": ["checkVisibility", "getHTML", "setHTMLUnsafe"],
  "ElementInternals.prototype": ["states"],
  "HTMLElement.prototype": ["popover", "showPopover", "hidePopover", "togglePopover"],
  Map: ["groupBy"],
  "Navigator.prototype": ["vibrate", "userAgentData", "setAppBadge"],
  Object: ["groupBy"],
  Promise: ["withResolvers", "try"],
  PublicKeyCredential: ["getClientCapabilities", "parseCreationOptionsFromJSON", "parseRequestOptionsFromJSON"],
  ReadableStream: ["from"],
  "ReadableStream.prototype": ["values"],
  RegExp: ["escape"],
  Response: ["json"],
  "Response.prototype": ["bytes"],
  "Set.prototype": ["union", "intersection", "difference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"],
  "StorageManager.prototype": ["estimate"],
  URL: ["canParse", "parse"],
  "URLSearchParams.prototype": ["size"],
  Uint8Array: ["fromBase64", "fromHex"],
  "Uint8Array.prototype": ["toBase64", "toHex"],
};

/** Runs before the scripts of a page or a worker: removes those names, what iterators have learnt, and Ed25519. */
function forgetNewerThings(newer: typeof NEWER): void {
  const iterators = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object;
  for (const name of ["map", "filter", "take", "drop", "flatMap", "reduce", "toArray", "forEach", "some", "find"])
    Reflect.deleteProperty(iterators, name);
  for (const [path, names] of Object.entries(newer)) {
    const [owner = "", isPrototype] = path.split(".");
    const object = Reflect.get(globalThis, owner) as { readonly prototype: object } | undefined;
    const holder = isPrototype === undefined ? object : object?.prototype;
    if (holder !== undefined) for (const name of names) Reflect.deleteProperty(holder, name);
  }
  // Only pages from this machine or over https have it.
  if (globalThis.SubtleCrypto === undefined) return;
  const { importKey } = SubtleCrypto.prototype;
  const older = (...given: Parameters<typeof importKey>): Promise<CryptoKey> =>
    given[2] === "Ed25519"
      ? Promise.reject(new DOMException("no such algorithm", "NotSupportedError"))
      : importKey.apply(crypto.subtle, given);
  Object.defineProperty(SubtleCrypto.prototype, "importKey", { value: older });
}

/** Makes a context's pages and workers forget those things, and the elements and the shop `light-dark()`. */
async function asSafari164(context: BrowserContext): Promise<void> {
  await context.addInitScript(forgetNewerThings, NEWER);
  const changed = /\/(?:assets\/(?:scan-worker-[\w-]+\.js|[\w-]+\.css)|widgets\/[\w-]+\.js|demo\/[\w-]+\.css)$/;
  await context.route(changed, async (route) => {
    const response = await route.fetch();
    const isWorker = route.request().url().includes("scan-worker");
    const before = isWorker ? `(${forgetNewerThings})(${JSON.stringify(NEWER)});` : "";
    const body = (await response.text()).replaceAll("light-dark", "light-dawn");
    await route.fulfill({ response, body: before + body });
  });
}

const fixture = aBrowserFixture();
let ana: Phone;

/** A phone without a service worker: the files that it keeps could not be changed on their way. */
async function phoneWithoutWorker(options: PhoneOptions): Promise<Phone> {
  const phone = await fixture.newPhone({ ...options, serviceWorkers: "block" });
  phone.watch.allow(/Service Worker registration blocked by Playwright|reading 'waiting'/);
  return phone;
}

beforeAll(async () => {
  ana = await phoneWithoutWorker({ language: "en", colorScheme: "dark" });
  await asSafari164(ana.context);
});

describe("with what Safari 16.4 has", () => {
  it("the app works: sign-in, scanning, paying, history, what arrives", async () => {
    await ana.continueAs("payer");
    const { reference, image } = await fixture.api.makeQrImage("image/png", { amount: 3_000 });
    await ana.openScan();
    await ana.chooseImage("image/png", image);
    expect(await ana.toConfirm()).toMatchObject({ reference });
    await ana.pay();
    expect((await ana.receipt()).title).toContain(SHOP);
    expect((await ana.movements("/history")).join("\n")).toContain("3,000");
    await ana.open("/profile");
    await ana.page.getByRole("heading", { name: ana.words.account.devices.title }).waitFor();
  });

  it("a code is checked online only, for want of Ed25519: without a network nothing is called authentic", async () => {
    const phone = await fixture.newPhone();
    const { words, page } = phone;
    await asSafari164(phone.context);
    await phone.continueAs("payer");
    await phone.untilKept();
    await phone.open("/scan");
    const { payload, reference } = await fixture.api.makeQr({ amount: 2_000 });
    phone.watch.allow(/net::ERR_INTERNET_DISCONNECTED/);
    await phone.context.setOffline(true);
    await phone.type(payload);
    await phone.isTold("no_connection");
    expect(await page.getByText(words.approval.savedOnHome).count()).toBe(0);
    await phone.context.setOffline(false);
    expect(await phone.toConfirm()).toMatchObject({ reference });
    await phone.open("/");
    await page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
    expect(await page.getByText(words.drafts.title).count()).toBe(0);
  });

  it("a code on the shop's page is paid", async () => {
    const shop = await ana.context.newPage();
    await shop.goto(`${fixture.product.origin}/demo/`);
    await shop.locator("pay-qr summary").click();
    await shop.locator("pay-qr [part~=plate] svg").waitFor();
    const painted = (part: string, property: string) =>
      shop
        .locator(`pay-qr [part~=${part}]`)
        .evaluate((it, name) => getComputedStyle(it).getPropertyValue(name), property);
    // White, and the brand's green.
    expect(await painted("card", "background-color")).toBe("rgb(255, 255, 255)");
    expect(await painted("open", "background-color")).toBe("rgb(11, 110, 95)");
    const link = await shop.locator("pay-qr a[part~=open]").getAttribute("href");
    await ana.page.goto(link ?? "");
    await ana.toConfirm();
    await ana.pay();
    await ana.receipt();
    await shop.getByText("Pago confirmado.").waitFor();
    await shop.locator("pay-qr [part~=outcome].good").waitFor();
    await shop.close();
  });

  it.each(Object.keys(appPaths))("%s opens in the theme's colours", async (path) => {
    // Grant and Refund ask the broker about what their address names, which is nothing here.
    if (path === "/grant" || path === "/refund") ana.watch.allow(/status of 400/);
    await ana.open(path);
    await ana.page.locator("cupo-app main > *").waitFor();
    await ana.page.waitForFunction(isSettled);
    const ground = await ana.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(ground).toBe("rgb(14, 21, 19)");
  });

  it.each(["elements.html", "customer.html"])("/demo/%s opens", async (file) => {
    await ana.open(`/demo/${file}`);
    await ana.page.locator("h1").waitFor();
    await ana.page.waitForLoadState("networkidle");
  });

  it("the till finds Ana", async () => {
    await ana.open("/demo/till.html");
    const till = ana.page.locator("recharge-form");
    await till.locator("[part~=field]").fill("300 123 4567");
    await till.getByRole("button", { name: "Buscar" }).click();
    await till.getByRole("button", { name: "10.000" }).waitFor();
  });
});

it("below Safari 16.4, which media queries tell, a page says so in place of the app", async () => {
  const phone = await phoneWithoutWorker({});
  const told = phone.page.getByText("iOS 16.4");
  await phone.open("/welcome");
  await phone.page.locator("cupo-welcome-page").waitFor();
  expect(await told.filter({ visible: true }).count()).toBe(0);
  await phone.context.route(/\.css$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/@media ?\(width ?>= ?0\)/, "@media (no-such-feature:0)");
    await route.fulfill({ response, body });
  });
  await phone.page.reload();
  await phone.page.locator("cupo-welcome-page").waitFor();
  expect(await told.filter({ visible: true }).count()).toBe(3);
  const covers = () => document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest(".too-old") !== null;
  expect(await phone.page.evaluate(covers)).toBe(true);
});

it.each([
  ["", "pay-qr"],
  ["till.html", "recharge-form"],
  ["customer.html", ".payment"],
])("below Safari 16.4 /demo/%s says so too", async (file, shown) => {
  const phone = await phoneWithoutWorker({});
  const told = phone.page.locator(".too-old");
  await phone.open(`/demo/${file}`);
  await phone.page.locator(shown).waitFor();
  expect(await told.isVisible()).toBe(false);
  await phone.context.route(/\.css$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/@media ?\(width ?>= ?0\)/, "@media (no-such-feature:0)");
    await route.fulfill({ response, body });
  });
  await phone.page.reload();
  await told.waitFor();
});
