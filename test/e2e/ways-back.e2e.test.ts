import { firefox } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { findFirefox } from "../support/firefox.ts";
import { aBrowserFixture, type BrowserFixture } from "./support/browser-fixture.ts";
import { middleRow } from "./support/middle-row.ts";
import type { Phone } from "./support/phone.ts";

/** More than ten screens of rows. */
const PAYMENTS = 160;
const DEEP = 6_000;
/** A browser may round a row's place to whole pixels, twice. */
const ROUNDING_PX = 2;
/** Within the animation between two pages, and right after it. */
const SECOND_TAP_MS = [40, 80, 120, 160, 220];

async function openHistory({ page, words }: Phone): Promise<void> {
  await page.getByRole("link", { name: words.tabs.history }).click();
  await page.getByRole("heading", { name: words.list.history }).waitFor();
  await page.locator("cupo-movement-list a.row").nth(5).waitFor();
}

/** Scrolls down the list, once all of it is known, and waits until its rows stand still. */
async function scrollDeep(phone: Phone): Promise<void> {
  const { page } = phone;
  await expect.poll(() => page.locator("cupo-history-page .older").count()).toBe(0);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(DEEP + 800);
  await page.evaluate((top) => scrollTo(0, top), DEEP);
  let before: unknown;
  await expect
    .poll(
      async () => {
        const [now, last] = [await phone.page.evaluate(middleRow), before];
        before = now;
        return now !== undefined && JSON.stringify(now) === JSON.stringify(last);
      },
      { interval: 250 },
    )
    .toBe(true);
}

/** The distance of a receipt's row from the top of the screen; undefined while it is not drawn. */
function rowAt({ page }: Phone, link: string): Promise<number | undefined> {
  const row = page.locator(`cupo-history-page cupo-movement-list a.row[href="${link}"]`);
  return row.evaluateAll(([first]) => first?.getBoundingClientRect().top);
}

/** Opens a receipt by a press where its row stands: Playwright's own click may scroll the row first. */
async function openReceipt(phone: Phone, link: string): Promise<void> {
  const { page, words } = phone;
  await page.mouse.click(180, ((await rowAt(phone, link)) ?? Number.NaN) + 30);
  await page.getByRole("button", { name: words.common.back }).waitFor();
}

function thereIsALongHistory(fixture: BrowserFixture): void {
  beforeAll(async () => {
    const { payer, merchant } = fixture.product.demo.users;
    for (let paid = 0; paid < PAYMENTS; paid += 1) {
      const body = { from_user_id: payer.id, to_user_id: merchant.id, amount: 100 + paid };
      await fixture.api.client.createTransaction({ body });
    }
  });
}

function itLeadsToTheSameRow(fixture: BrowserFixture): void {
  it("to the same row of a long list: by the page's button, by the browser's, and after a reload", async () => {
    const ana = await fixture.phoneOf("payer");
    await openHistory(ana);
    await scrollDeep(ana);
    const left = await ana.page.evaluate(middleRow);
    const ways = [
      () => ana.page.getByRole("button", { name: ana.words.common.back }).click(),
      () => ana.page.goBack(),
      async () => {
        await ana.page.reload();
        await ana.page.getByRole("button", { name: ana.words.common.back }).click();
      },
    ];
    for (const goBack of ways) {
      await openReceipt(ana, left?.link ?? "");
      expect(await ana.page.evaluate(() => scrollY)).toBe(0);
      await goBack();
      await ana.page.getByRole("heading", { name: ana.words.list.history }).waitFor();
      const offBy = async () => Math.abs(((await rowAt(ana, left?.link ?? "")) ?? Number.NaN) - (left?.top ?? 0));
      await expect.poll(offBy).toBeLessThanOrEqual(ROUNDING_PX);
    }
  });
}

function itLeadsToWhatWasSought(fixture: BrowserFixture): void {
  it("to what was sought and chosen, also after a reload of the list", async () => {
    const ana = await fixture.phoneOf("payer");
    const { page, words } = ana;
    await openHistory(ana);
    await page.getByLabel(words.search.label).fill("150");
    await page.getByRole("radio", { name: words.list.sent }).check();
    await page.getByRole("button", { name: words.search.filters }).click();
    const rows = page.locator("cupo-movement-list a.row");
    await expect.poll(() => rows.count()).toBe(1);
    const link = (await rows.first().getAttribute("href")) ?? "";
    const seen = async () => [
      await page.getByLabel(words.search.label).inputValue(),
      await page.getByRole("radio", { name: words.list.sent }).isChecked(),
      await page.getByLabel(words.search.month).isVisible(),
      await rows.count(),
    ];
    await openReceipt(ana, link);
    await page.goBack();
    await expect.poll(seen).toEqual(["150", true, true, 1]);
    await page.getByLabel(words.search.label).fill("15");
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    const found = await rows.count();
    await page.reload();
    await expect.poll(seen).toEqual(["15", true, true, found]);
    await page.goBack();
    await page.locator("cupo-home-page").waitFor();
    await page.goForward();
    await expect.poll(seen).toEqual(["15", true, true, found]);
    await page.getByRole("link", { name: words.tabs.home }).click();
    await page.locator("cupo-home-page").waitFor();
    await openHistory(ana);
    expect(await page.getByLabel(words.search.label).inputValue()).toBe("");
  });
}

/** Pages that are longer than the screen, and whose they are. */
const LONG_PAGES = Object.freeze({
  "/": "payer",
  "/history": "payer",
  "/received": "merchant",
  "/profile": "payer",
  "/summary": "payer",
} as const);
const LOW = { width: 360, height: 480 };
const DOWN = 300;
const STILL_MS = 500;
const AN_HOUR_MS = 3_600_000;

/** Leaves the app alone for an hour, after which it asks who is there. */
function leaveForAnHour({ page }: Phone): Promise<void> {
  return page.evaluate((anHour) => localStorage.setItem("cupo.seen", String(Date.now() - anHour)), AN_HOUR_MS);
}

/** Scrolls down once the page is long enough, and returns where it stands still: what comes late may move it. */
async function scrollDown({ page }: Phone): Promise<number> {
  const down = () =>
    page.evaluate((top) => {
      scrollTo(0, top);
      return scrollY;
    }, DOWN);
  await expect.poll(down).toBe(DOWN);
  let before: unknown;
  const isStill = async () => {
    const [now, last] = [await page.evaluate(() => [scrollY, document.documentElement.scrollHeight].join()), before];
    before = now;
    return now === last;
  };
  await expect.poll(isStill, { interval: STILL_MS }).toBe(true);
  return page.evaluate(() => scrollY);
}

function itLeadsToTheSamePlaceOf(fixture: BrowserFixture): void {
  it.each(Object.entries(LONG_PAGES))("to where %s was left, also after a reload and the lock", async (path, whose) => {
    const phone = await fixture.phoneOf(whose, { viewport: LOW });
    const { page, words } = phone;
    await page.evaluate(() => localStorage.setItem("cupo.lock", "5"));
    await phone.open(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const left = await scrollDown(phone);
    const offBy = async () => Math.abs((await page.evaluate(() => scrollY)) - left);
    const isBack = (way: string) => expect.poll(offBy, { message: way }).toBeLessThanOrEqual(ROUNDING_PX);
    await page.getByRole("link", { name: words.tabs.receive, exact: true }).click();
    await page.locator("cupo-receive-page").waitFor();
    await page.goBack();
    await isBack("Back");
    // Any key: from then on the person scrolls, and not the app.
    await page.keyboard.press("Shift");
    for (const away of [0, left]) await page.evaluate((to) => scrollTo(0, to), away);
    // At once: nothing has kept yet how the page looks now.
    await page.reload();
    await isBack("a reload");
    await leaveForAnHour(phone);
    await page.reload();
    await page.getByRole("button", { name: words.lock.open }).click();
    await isBack("the lock");
  });
}

function itLeadsForwardToTheSamePlaceOf(fixture: BrowserFixture): void {
  it.each(["history", "profile"] as const)("and forward to where %s was scrolled right before Back", async (tab) => {
    const phone = await fixture.phoneOf("payer", { viewport: LOW });
    const { page, words } = phone;
    await page.getByRole("link", { name: words.tabs[tab], exact: true }).click();
    await page.locator(`cupo-${tab}-page`).waitFor();
    const left = (await scrollDown(phone)) - DOWN / 3;
    await page.evaluate((to) => {
      scrollTo(0, to);
      history.back();
    }, left);
    await page.locator("cupo-home-page").waitFor();
    await page.goForward();
    const offBy = async () => Math.abs((await page.evaluate(() => scrollY)) - left);
    await expect.poll(offBy).toBeLessThanOrEqual(ROUNDING_PX);
  });
}

function itAnswersASecondTap(fixture: BrowserFixture): void {
  it("and on: a second tap during the change of the page is answered", async () => {
    const ana = await fixture.phoneOf("payer");
    const { page, words } = ana;
    const tab = async (name: string) => {
      const box = await page.getByRole("link", { name, exact: true }).boundingBox();
      if (box === null) throw new Error(`there is no tab ${name}`);
      return [box.x + box.width / 2, box.y + box.height / 2] as const;
    };
    const [home, history, profile] = [
      await tab(words.tabs.home),
      await tab(words.tabs.history),
      await tab(words.tabs.profile),
    ];
    for (const [x, y] of [history, profile, home]) {
      await page.mouse.click(x, y);
      await page.waitForTimeout(500);
    }
    for (const delay of SECOND_TAP_MS) {
      await page.mouse.click(...history);
      await page.waitForTimeout(delay);
      await page.mouse.click(...profile);
      await expect.poll(() => new URL(page.url()).pathname, { message: `a tap ${delay} ms later` }).toBe("/profile");
      await page.locator("cupo-profile-page").waitFor();
      await page.mouse.click(...home);
      await page.locator("cupo-home-page").waitFor();
      await page.waitForTimeout(300);
    }
  });
}

function itLeadsBack(fixture: BrowserFixture): void {
  thereIsALongHistory(fixture);
  itLeadsToTheSameRow(fixture);
  itLeadsToWhatWasSought(fixture);
  itLeadsToTheSamePlaceOf(fixture);
  itLeadsForwardToTheSamePlaceOf(fixture);
  itAnswersASecondTap(fixture);
}

describe("In Chromium, the way leads back", () => itLeadsBack(aBrowserFixture()));

const executablePath = findFirefox("Ways back in Firefox");
describe.skipIf(executablePath === undefined)("In Firefox, the way leads back", () =>
  itLeadsBack(aBrowserFixture(() => firefox.launch({ channel: "moz-firefox", executablePath: executablePath ?? "" }))),
);
