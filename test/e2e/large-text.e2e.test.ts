import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture } from "./support/open-browser.ts";
import { overTheEdge } from "./support/visual/in-page.ts";
import { hiddenControls, lostTexts, textLines } from "./support/visual/lost-content.ts";
import { stations } from "./support/visual/stations.ts";
import { nameOf, type PageState, VisualRun } from "./support/visual/visual-run.ts";

/*
 * Every page of the app for a person whose browser has letters of twice the usual size (WCAG 2.2, 1.4.4), on a phone
 * of 390 × 844: nothing is cut off, overlapped or past the edge, and Tab leads to nothing that is hidden. The person
 * goes through the pages by pressing what is on them, which they can only where nothing covers it.
 */

const PHONE = { width: 390, height: 844 };
/** Letters are 16 and 13 pixels high unless a person chooses others. */
const TWICE = { standard: 32, fixed: 26 };

const fixture = aBrowserFixture();
let tour: VisualRun;

/** Sets the size of letters as the browser's settings do. */
async function enlarge(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Page.setFontSizes", { fontSizes: TWICE });
  await page.setViewportSize(PHONE);
}

beforeAll(async () => {
  tour = await VisualRun.begin(fixture);
  for (const { page } of [tour.stranger, tour.ana, tour.shop]) await enlarge(page);
});

describe("with letters of twice the size nothing is lost", () => {
  it.each(stations.map((station): [string, PageState] => [nameOf(station), station]))("%s", async (name, station) => {
    await station.reach(tour);
    const { page } = tour[station.on];
    await picture(page, `large-${name}`);
    const letters = await page.evaluate(() => getComputedStyle(document.body).fontSize);
    expect(letters).toBe("34px");
    expect.soft(await page.evaluate(overTheEdge)).toEqual([]);
    expect.soft(lostTexts(await page.evaluate(textLines))).toEqual([]);
    expect.soft(await page.evaluate(hiddenControls)).toEqual([]);
  });
});
