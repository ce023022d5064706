import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { languages } from "../../src/language/languages.ts";
import { LONG } from "../support/long-tests.ts";
import { openWebKit, type WebKit } from "../support/open-webkit.ts";
import { leaveRemark } from "../support/remarks.ts";
import { findWebKit, WITHOUT_WEBKIT } from "../support/webkit.ts";
import { holdBeforeCamera, isCameraOff, replaceCamera, watchCamera } from "./support/camera.ts";
import { aFramingProxy, type FramingProxy } from "./support/framing-proxy.ts";
import { Product } from "./support/product.ts";
import { ServiceApi } from "./support/service-api.ts";
import { overTheEdge } from "./support/visual/in-page.ts";
import { WebKitPhone } from "./support/webkit-phone.ts";

const JOURNEYS = "Journeys in WebKit";
const SHOP = "Café La Candelaria";
const DARK = "rgb(14, 21, 19)";
const driverPath = findWebKit(JOURNEYS);
if (driverPath === undefined) leaveRemark("webkit", `${JOURNEYS}: ${WITHOUT_WEBKIT}.`);

/** A scanner that fails at a quarter of its starts passes the short form once in 30 runs, and never the long one. */
const STARTS = LONG ? 50 : 12;
const STARTS_TIMEOUT_MS = STARTS * 10_000;

/** Runs in the page: true once every element of the showcase has reached its state. */
function isPlayed(): boolean {
  const shown = [...document.querySelectorAll<HTMLElement>("pay-qr, recharge-form, user-quota")];
  return shown.length > 0 && shown.every(({ dataset }) => "played" in dataset);
}

/** Runs in the page: its widths in px in each language, from left to right and from right to left. */
async function widthsIn(codes: readonly string[]): Promise<readonly number[]> {
  const root = document.documentElement;
  const widths: number[] = [];
  for (const lang of codes) {
    root.lang = lang;
    // One frame to notice the new language, one to draw it.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    for (const dir of ["rtl", "ltr"]) {
      root.dir = dir;
      widths.push(root.scrollWidth);
    }
  }
  return widths;
}

/** Runs in the page: the colour of its ground. */
function ground(): string {
  return getComputedStyle(document.documentElement).backgroundColor;
}

/** Everything but passkeys, push messages and notifications: WebKitGTK has no tools for those. */
describe.skipIf(driverPath === undefined)("in WebKit", () => {
  let product: Product;
  let api: ServiceApi;
  let webkit: WebKit;
  let proxy: FramingProxy;
  let ana: WebKitPhone;

  beforeAll(async () => {
    [product, webkit] = await Promise.all([Product.start(), openWebKit(driverPath ?? "")]);
    api = await ServiceApi.of(product.demo);
    proxy = await aFramingProxy(product);
    ana = await WebKitPhone.take(webkit.driver, product);
  });
  afterEach(async () => {
    expect(await ana.faults()).toEqual([]);
  });
  afterAll(async () => {
    await webkit?.close();
    await proxy?.close();
    await product?.remove();
  });

  /** Opens Home and Scan with a picture of a code before the camera; returns the reference that Confirm then shows. */
  async function scan(image: Buffer): Promise<string> {
    await ana.open("/");
    await ana.run(replaceCamera);
    await ana.run(holdBeforeCamera, image.toString("base64"));
    await ana.openScan();
    return ana.toConfirm();
  }

  it("the demo's people sign in over http on this machine", async () => {
    await ana.signInAsPayer();
    await ana.open("/");
    await ana.find("cupo-home-page >>> .quota[aria-busy=false]");
  });

  it("a code before the camera pays, once", async () => {
    const { reference, image } = await api.makeQrImage("image/png", { amount: 1_234 });
    expect(await scan(image)).toBe(reference);
    expect(await ana.pay()).toContain(SHOP);
    expect(await api.approvedOf(reference)).toBe(1);
  });

  it(
    "the scanner reads a code at every start",
    async () => {
      const { reference, image } = await api.makeQrImage("image/png", { amount: 2_000 });
      const read: string[] = [];
      while (read.length < STARTS) read.push(await scan(image));
      expect(read).toEqual(Array.from({ length: STARTS }, () => reference));
    },
    STARTS_TIMEOUT_MS,
  );

  it("the device's own camera is on while Scan is open, and off afterwards", async () => {
    await ana.open("/");
    await ana.run(watchCamera);
    await ana.openScan();
    await ana.find("cupo-scan-page >>> .finder");
    expect(await ana.run(isCameraOff)).toBe(false);
    await ana.click("cupo-scan-page >>> button", ana.words.common.close);
    await ana.find("cupo-home-page");
    await ana.until(isCameraOff);
  });

  it("a picture of a code pays", async () => {
    const { reference, image } = await api.makeQrImage("image/png", { amount: 3_456 });
    await ana.open("/");
    await ana.openScan();
    await ana.chooseImage(image);
    expect(await ana.toConfirm()).toBe(reference);
    expect(await ana.pay()).toContain(SHOP);
    expect(await api.approvedOf(reference)).toBe(1);
  });

  it("the order on the shop's page is paid by its link, and that page says so without a reload", async () => {
    const { driver } = webkit;
    const before = await api.balances();
    await ana.open("/demo/");
    const shop = await driver.getWindowHandle();
    const link = await (await ana.find("pay-qr >>> a[part~=open]")).getAttribute("href");
    const checkCode = await ana.text("pay-qr >>> [part~=check-code]");
    await driver.switchTo().newWindow("window");
    await ana.open(link ?? "");
    await ana.toConfirm();
    expect(await ana.text("cupo-confirm-page >>> .facts .code")).toBe(checkCode);
    expect(await ana.pay()).toContain(SHOP);
    expect(await ana.faults()).toEqual([]);
    await driver.close();
    await driver.switchTo().window(shop);
    await ana.find("pay-qr >>> [part~=outcome].good");
    await ana.find("#delivery", "Pago confirmado.");
    expect(await api.balances()).toEqual({ payer: before.payer - 25_000, merchant: before.merchant + 25_000 });
  });

  it("the till sells Ana a top-up, once", async () => {
    const { payer } = await api.balances();
    await ana.open("/demo/till.html");
    await ana.type("recharge-form >>> [part~=field]", "300 123 4567");
    await ana.click("recharge-form >>> [part~=next]");
    await ana.click("recharge-form >>> [part~=preset]", "10.000");
    // The element ignores a click that follows at once, so that a double click on the amount sells nothing.
    const sell = async (): Promise<boolean> => {
      const [button] = await ana.all("recharge-form >>> [part~=way-on]", "Vender");
      await button?.click();
      return (await ana.all("recharge-form >>> .title", "Recarga hecha")).length > 0;
    };
    await webkit.driver.wait(sell, 10_000);
    expect((await api.balances()).payer).toBe(payer + 10_000);
  });

  it("the customer's page shows Ana's quota once she allows it", async () => {
    await ana.open("/demo/customer.html");
    await ana.click("#connect");
    await ana.click("cupo-grant-page >>> button", ana.words.grant.allow);
    const { payer } = await api.balances();
    const shown = await ana.text("user-quota:state(shown) >>> [part~=amount]");
    expect(Number(shown.replace(/\D/g, ""))).toBe(payer);
    await ana.open("/demo/customer.html");
  });

  it("dark, chosen in Profile, is dark at the next start too", async () => {
    const { settings } = ana.words.account;
    await ana.open("/profile");
    await ana.click("cupo-settings-section >>> label", settings.themes.dark);
    await expect.poll(() => ana.run(ground)).toBe(DARK);
    await ana.reload();
    expect(await ana.run(ground)).toBe(DARK);
    await ana.open("/demo/elements.html?element=pay-qr&state=expired&theme=dark");
    const card = await ana.find("pay-qr >>> [part=card]");
    expect(await card.getCssValue("background-color")).toMatch(/^rgba?\(23, 33, 30\b/);
  });

  it("every element reaches each of its states on a page of 320 px, and fits it in every language", async () => {
    await ana.openFrame(proxy.narrow("/demo/elements.html"));
    await ana.until(isPlayed);
    const widths = await ana.run(widthsIn, Object.keys(languages));
    expect(widths).toHaveLength(2 * Object.keys(languages).length);
    expect(new Set(widths)).toEqual(new Set([320]));
  });

  it("Home is not wider than 320 px", async () => {
    await ana.openFrame(proxy.narrow("/"));
    await ana.click("button", ana.words.welcome.continueAs("Ana"));
    await ana.find("cupo-home-page >>> .quota[aria-busy=false]");
    expect(await ana.run(overTheEdge)).toEqual([]);
  });
});
