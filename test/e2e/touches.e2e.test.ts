import type { Route } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { Finger, middleOf } from "./support/finger.ts";
import type { Phone } from "./support/phone.ts";

/** Moments of a second tap while the page of the first is still being opened. */
const SECOND_TAP_MS = [40, 80, 120, 160, 220];
const PAYMENTS = 12;

const fixture = aBrowserFixture();

beforeAll(async () => {
  const { payer, merchant } = fixture.product.demo.users;
  for (let paid = 0; paid < PAYMENTS; paid += 1) {
    const body = { from_user_id: payer.id, to_user_id: merchant.id, amount: 100 + paid };
    await fixture.api.client.createTransaction({ body });
  }
});

/** Ana's phone, whose scripts come from the network each time, and her finger. */
async function touched(): Promise<{ readonly ana: Phone; readonly finger: Finger }> {
  const ana = await fixture.phoneOf("payer", { isMobile: true });
  const tools = await ana.context.newCDPSession(ana.page);
  await tools.send("Network.enable");
  await tools.send("Network.setCacheDisabled", { cacheDisabled: true });
  await tools.send("Network.setBypassServiceWorker", { bypass: true });
  return { ana, finger: new Finger(tools) };
}

const tab = (path: string): string => `cupo-tab-bar a[href="${path}"]`;

/** The tabs that are marked. */
function marked({ page }: Phone): Promise<readonly (string | null)[]> {
  return page.locator("cupo-tab-bar a[aria-current]").evaluateAll((links) => links.map((a) => a.getAttribute("href")));
}

/** Holds the script of a page until it is released. */
async function holdScript({ page }: Phone, name: string): Promise<() => void> {
  const released = Promise.withResolvers<undefined>();
  await page.route(`**/assets/${name}-page-*.js`, async (route: Route) => {
    await released.promise;
    await route.continue();
  });
  return () => released.resolve(undefined);
}

describe("a finger on the glass", () => {
  it("marks its tab at once, Scan's too, and no longer where it slides off", async () => {
    const { ana, finger } = await touched();
    for (const path of ["/history", "/scan", "/receive", "/profile"]) {
      const point = await middleOf(ana.page.locator(tab(path)));
      await finger.down(point);
      await expect.poll(() => marked(ana)).toEqual([path]);
      await finger.slide([point[0], point[1] - 200]);
      await expect.poll(() => marked(ana)).toEqual(["/"]);
      await finger.up();
    }
    expect(new URL(ana.page.url()).pathname).toBe("/");
  });

  it("leaves the mark on a tab whose page takes a while", async () => {
    const { ana, finger } = await touched();
    const release = await holdScript(ana, "scan");
    await finger.tap(await middleOf(ana.page.locator(tab("/scan"))));
    await expect.poll(() => new URL(ana.page.url()).pathname).toBe("/scan");
    expect(await marked(ana)).toEqual(["/scan"]);
    release();
    await ana.page.locator("cupo-scan-page").waitFor();
  });

  it("is seen under it on a row, a link and a button, also where nothing may move", async () => {
    const { ana, finger } = await touched();
    await ana.page.emulateMedia({ reducedMotion: "reduce" });
    for (const selector of [
      "cupo-home-page cupo-movement-list li:first-child a.row",
      'cupo-home-page a[href="/transfer"]',
      "cupo-home-page .quota button >> nth=0",
    ]) {
      const place = ana.page.locator(selector);
      const shadow = () => place.evaluate((pressed) => getComputedStyle(pressed).boxShadow);
      const [x, y] = await middleOf(place);
      await finger.down([x, y]);
      await expect.poll(shadow, { message: selector }).toContain("inset");
      await finger.slide([x, y + 200]);
      await expect.poll(shadow, { message: `${selector}, as the page is scrolled` }).toBe("none");
      await finger.up();
    }
  });
});

describe("while a page is being opened, a second tap is answered", () => {
  it("on another tab", async () => {
    const { ana, finger } = await touched();
    for (const delay of SECOND_TAP_MS) {
      await ana.open("/");
      await ana.page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
      const [history, profile] = [
        await middleOf(ana.page.locator(tab("/history"))),
        await middleOf(ana.page.locator(tab("/profile"))),
      ];
      await finger.tap(history);
      await ana.page.waitForTimeout(delay);
      await finger.tap(profile);
      const path = () => new URL(ana.page.url()).pathname;
      await expect.poll(path, { message: `a tap ${delay} ms later` }).toBe("/profile");
      await ana.page.locator("cupo-profile-page").waitFor();
    }
  });

  it("on another row, and on a button of the page that is still shown", async () => {
    const { ana, finger } = await touched();
    const { page, words } = ana;
    for (const delay of SECOND_TAP_MS) {
      await ana.open("/history");
      await page.locator("cupo-movement-list a.row").nth(5).waitFor();
      const [first, second] = ["cupo-history-page a.row >> nth=0", "cupo-history-page a.row >> nth=1"] as const;
      const link = await page.locator(second).getAttribute("href");
      const filters = page.getByRole("button", { name: words.search.filters });
      const release = await holdScript(ana, "receipt");
      await finger.tap(await middleOf(ana.page.locator(first)));
      await page.waitForTimeout(delay);
      await finger.tap(await middleOf(ana.page.locator("cupo-history-page .find button")));
      await expect.poll(() => filters.getAttribute("aria-expanded"), { message: `${delay} ms` }).toBe("true");
      await finger.tap(await middleOf(ana.page.locator(second)));
      const place = () => new URL(page.url()).pathname + new URL(page.url()).hash;
      await expect.poll(place, { message: `a tap ${delay} ms later` }).toBe(link);
      release();
      await page.locator("cupo-receipt-page .who .money").waitFor();
      await page.unroute("**/assets/receipt-page-*.js");
    }
  });
});
