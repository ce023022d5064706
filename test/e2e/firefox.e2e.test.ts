import { firefox } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { words as account } from "../../src/language/en/app/account.ts";
import { findFirefox, WITHOUT_FIREFOX } from "../support/firefox.ts";
import { leaveRemark } from "../support/remarks.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { isCameraOff, showToCamera } from "./support/camera.ts";
import { keptOnDevice } from "./support/kept-on-device.ts";
import { NARROW_PAGES } from "./support/narrow-pages.ts";
import { WAIT_TIMEOUT_MS } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";
import { overTheEdge } from "./support/visual/in-page.ts";

const JOURNEYS = "Journeys in Firefox";
const SHOP = "Café La Candelaria";
const DARK = "rgb(14, 21, 19)";
const executablePath = findFirefox(JOURNEYS);
if (executablePath === undefined) leaveRemark("firefox", `${JOURNEYS}: ${WITHOUT_FIREFOX}.`);

/** Everything but passkeys and installing: only Chromium has tools for those. */
describe.skipIf(executablePath === undefined)("in Firefox", () => {
  const fixture = aBrowserFixture(() =>
    firefox.launch({ channel: "moz-firefox", executablePath: executablePath ?? "" }),
  );
  let ana: Phone;
  let ben: Phone;

  beforeAll(async () => {
    ana = await fixture.newPhone({ language: "en" });
    ben = await fixture.newPhone({ language: "en" });
  });

  const digits = (text: string): number => Number(text.replace(/\D/g, ""));

  /** Pays what Confirm shows by the demo's button, and checks that exactly this amount moved, once. */
  async function payAndFindIt(amount: number, reference: string): Promise<void> {
    const before = await fixture.api.balances();
    expect(await ana.toConfirm()).toMatchObject({ payee: SHOP, reference });
    await ana.pay();
    const { title, amount: paid } = await ana.receipt();
    expect([title, digits(paid)]).toEqual([`${ana.words.confirm.paidTo} ${SHOP}`, amount]);
    expect(await fixture.api.balances()).toEqual({ payer: before.payer - amount, merchant: before.merchant + amount });
    expect(await fixture.api.approvedOf(reference)).toBe(1);
  }

  it("the demo's people sign in, in English, and Home shows what they have", async () => {
    await Promise.all([ana.continueAs("payer"), ben.continueAs("merchant")]);
    const { payer, merchant } = await fixture.api.balances();
    expect([digits(await ana.available()), digits(await ben.available())]).toEqual([payer, merchant]);
    expect(await ana.page.locator("html").getAttribute("lang")).toBe("en");
  });

  it("a picture of a code pays", async () => {
    const { reference, image } = await fixture.api.makeQrImage("image/png", { amount: 1_234 });
    await ana.openScan();
    await ana.chooseImage("image/png", image);
    await payAndFindIt(1_234, reference);
  });

  it("the order on the shop's page is paid by its link, and that page says so without a reload", async () => {
    const shop = await fixture.shop();
    const { appLink, checkCode } = await shop.shown();
    await ana.page.goto(appLink);
    const confirmed = await ana.toConfirm();
    expect(confirmed.checkCode).toBe(checkCode);
    await payAndFindIt(25_000, confirmed.reference);
    await shop.untilPaid();
    await shop.untilConfirmed();
  });

  it("a code before the camera pays; the camera is on while Scan is open, and off afterwards", async () => {
    const { page, words } = ana;
    await ana.openScan();
    await page.locator("cupo-scan-page .finder").waitFor();
    expect(await page.evaluate(isCameraOff)).toBe(false);
    await page.getByRole("button", { name: words.common.close }).click();
    await page.locator("cupo-home-page").waitFor();
    await expect.poll(() => page.evaluate(isCameraOff)).toBe(true);
    const { reference, image } = await fixture.api.makeQrImage("image/png", { amount: 4_321 });
    await ana.openScan();
    await showToCamera(page, image);
    await payAndFindIt(4_321, reference);
    expect(await page.evaluate(isCameraOff)).toBe(true);
  });

  it("a code's text, pasted, pays", async () => {
    const { reference, payload } = await fixture.api.makeQr({ amount: 2_000 });
    await ana.openScan();
    await ana.paste(payload);
    await payAndFindIt(2_000, reference);
  });

  it("the reference that Receive shows, typed, pays, and Receive says so", async () => {
    const { receive, common } = ben.words;
    await ben.open("/receive");
    await ben.page.getByRole("button", { name: receive.withAmount }).click();
    await ben.page.getByLabel(common.amount).fill("15000");
    await ben.page.getByRole("button", { name: receive.makeCode }).click();
    const reference = await ben.page.locator("cupo-receive-page .sheet .reference").innerText();
    await ana.openScan();
    await ana.type(reference.toLowerCase());
    await payAndFindIt(15_000, reference.replaceAll("-", ""));

    await ben.page.getByRole("alert").filter({ hasText: receive.paidTitle }).filter({ hasText: "15,000" }).waitFor();
  });

  it("offline the history that was kept is searched", async () => {
    const { page, words } = ana;
    expect(await ana.movements("/history")).toHaveLength(5);
    await ana.untilKept();
    await ana.context.setOffline(true);
    await page.reload();
    const rows = page.locator("cupo-movement-list .row");
    await expect.poll(() => rows.count()).toBe(5);
    const search = page.getByRole("searchbox", { name: words.search.label });
    for (const [text, found] of [
      ["cafe candelaria", 5],
      ["15000", 1],
      ["nobody", 0],
    ] as const) {
      await search.fill(text);
      await expect.poll(() => rows.count(), { message: text }).toBe(found);
    }
    await ana.context.setOffline(false);
  });

  it("the till sells Ana a top-up, once", async () => {
    const { payer } = await fixture.api.balances();
    await ana.open("/demo/till.html");
    const till = ana.page.locator("recharge-form");
    await till.locator("[part~=field]").fill("300 123 4567");
    await till.locator("[part~=next]").click();
    await till.locator("[part~=preset]", { hasText: "10.000" }).click();
    // The element ignores a click that follows at once, so that a double click on the amount sells nothing.
    const sell = till.locator("[part~=way-on]", { hasText: "Vender" });
    const isSold = async (): Promise<boolean> => {
      for (const button of await sell.all()) await button.click();
      return till.locator(".title", { hasText: "Recarga hecha" }).isVisible();
    };
    await expect.poll(isSold).toBe(true);
    expect((await fixture.api.balances()).payer).toBe(payer + 10_000);
  });

  it("dark, chosen in Profile, is dark at the next start too, also in the page's elements", async () => {
    const ground = () => getComputedStyle(document.documentElement).backgroundColor;
    await ana.open("/profile");
    await ana.page.getByRole("radio", { name: ana.words.account.settings.themes.dark }).check({ force: true });
    await expect.poll(() => ana.page.evaluate(ground)).toBe(DARK);
    await ana.page.reload();
    expect(await ana.page.evaluate(ground)).toBe(DARK);
    await ana.open("/demo/elements.html?element=pay-qr&state=expired&theme=dark");
    const card = ana.page.locator("pay-qr [part=card]");
    expect(await card.evaluate((shown) => getComputedStyle(shown).backgroundColor)).toBe("rgb(23, 33, 30)");
  });

  it.each(Object.entries(NARROW_PAGES))("%s is not wider than 320 px", async (name, [path, shown]) => {
    const { page } = ana;
    await page.setViewportSize({ width: 320, height: 640 });
    const { payload } = await fixture.api.makeQr();
    await ana.open(name === "Confirm" ? `${path}${encodeURIComponent(payload)}` : path);
    await page.locator(shown.replaceAll(">>> ", "")).first().waitFor();
    // On a phone no scroll bar takes a part of the width.
    const bar = await page.evaluate(() => innerWidth - document.documentElement.clientWidth);
    await page.setViewportSize({ width: 320 + bar, height: 640 });
    expect(await page.evaluate(overTheEdge)).toEqual([]);
  });

  it.each(["/demo/", "/demo/till.html", "/demo/elements.html"])("%s is not wider than 320 px", async (path) => {
    const { page } = ana;
    await ana.open(path);
    await page.locator("pay-qr [part=card], recharge-form [part=card]").first().waitFor();
    // A scroll bar takes a part of the 320 px.
    const past = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(past)).toBe(0);
  });

  it("signing out leaves nothing of the person", async () => {
    await ana.open("/profile");
    await ana.page.getByRole("heading", { name: account.devices.title }).waitFor();
    expect((await keptOnDevice(ana.page)).indexedDb).toContain(SHOP);
    await ana.page.getByRole("button", { name: ana.words.home.signOut }).click();
    await ana.page.getByRole("heading", { name: ana.words.welcome.title }).waitFor();
    await vi.waitFor(async () => {
      const { localStorage, sessionStorage, indexedDb, document } = await keptOnDevice(ana.page);
      expect([sessionStorage, indexedDb]).toEqual(["{}", "[]"]);
      // The theme that was chosen above is the device's.
      expect(Object.keys(JSON.parse(localStorage) as object).sort()).toEqual(["cupo.qr-keys", "cupo.theme"]);
      expect(document).not.toContain("Ana Torres");
    }, WAIT_TIMEOUT_MS);
    expect(await ana.context.cookies()).toEqual([]);
  });
});
