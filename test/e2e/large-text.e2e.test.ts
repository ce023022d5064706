import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture } from "./support/open-browser.ts";
import { fieldsBelow, overTheEdge } from "./support/visual/in-page.ts";
import { hiddenControls, lostTexts, textLines, textsLeftSmall } from "./support/visual/lost-content.ts";
import { stations } from "./support/visual/stations.ts";
import { nameOf, type PageState, VisualRun } from "./support/visual/visual-run.ts";

/*
 * Every page of the app for a person whose browser has letters of twice the usual size (WCAG 2.2, 1.4.4), on a phone
 * of 390 × 844: nothing is cut off, overlapped or past the edge, and Tab leads to nothing that is hidden. The person
 * goes through the pages by pressing what is on them, which they can only where nothing covers it.
 */

const PHONE = { width: 390, height: 844 };
/** Letters are 16 and 13 pixels high unless a person chooses others. */
const USUAL = { standard: 16, fixed: 13 };
const TWICE = { standard: 32, fixed: 26 };
/** Letters of a field below which Safari on an iPhone zooms the page in, in px, where letters have the usual size. */
const SMALLEST_FIELD = 16;

const fixture = aBrowserFixture();
let tour: VisualRun;

/** Sets the size of letters as the browser's settings do. */
async function enlarge(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Page.setFontSizes", { fontSizes: TWICE });
  await page.setViewportSize(PHONE);
}

/** The texts of a page with letters of the usual size. */
async function atUsualSize(page: Page): Promise<Awaited<ReturnType<typeof textLines>>> {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Page.setFontSizes", { fontSizes: USUAL });
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe("17px");
  const texts = await page.evaluate(textLines);
  await tools.send("Page.setFontSizes", { fontSizes: TWICE });
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe("34px");
  return texts;
}

/** Five names beside each other have no room for more on a phone: they alone stay below, and never below 13 px. */
function isTabName(fault: string, tabs: Readonly<Record<string, string>>): boolean {
  const [, name = "", size] = /^(.+): 12 px became ([\d.]+) px$/.exec(fault) ?? [];
  return Object.values(tabs).includes(name) && Number(size) >= 13;
}

beforeAll(async () => {
  tour = await VisualRun.begin(fixture);
  for (const { page } of [tour.stranger, tour.ana, tour.shop]) await enlarge(page);
});

describe("with letters of twice the size nothing is lost", () => {
  it.each(stations.map((station): [string, PageState] => [nameOf(station), station]))("%s", async (name, station) => {
    await tour.reach(station);
    const { page } = tour[station.on];
    await picture(page, `large-${name}`);
    const large = await page.evaluate(textLines);
    const usual = await atUsualSize(page);
    const body = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).fontSize));
    expect(body).toBe(34);
    const { tabs } = tour[station.on].words;
    expect.soft(textsLeftSmall(usual, large, body).filter((text) => !isTabName(text, tabs))).toEqual([]);
    expect.soft(await page.evaluate(overTheEdge)).toEqual([]);
    expect.soft(await page.evaluate(fieldsBelow, 2 * SMALLEST_FIELD)).toEqual([]);
    expect.soft(lostTexts(large)).toEqual([]);
    // Once a key is pressed, a page that is led back to its place leaves scrolling to the person.
    await page.keyboard.press("Shift");
    expect.soft(await page.evaluate(hiddenControls)).toEqual([]);
  });
});
