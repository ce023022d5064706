import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { appPaths } from "../../pwa/platform/app-paths.ts";
import { languages } from "../../src/language/languages.ts";
import { leaveRemark } from "../support/remarks.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import {
  coloursOf,
  difference,
  isSameRenderer,
  keep,
  keptNames,
  type Renderer,
  recordBaseline,
} from "./support/visual/baseline.ts";
import { fontWidths, freezeTexts, isSettled, overTheEdge, titlePlace } from "./support/visual/in-page.ts";
import { stations } from "./support/visual/stations.ts";
import { nameOf, type PageState, VisualRun } from "./support/visual/visual-run.ts";

/*
 * Checks every page of the app in its main states, light and dark, at 360 × 740 (a longer page is pictured as a whole):
 * axe's violations, content past the page's edge in any language, and the picture against the kept one.
 * The kept pictures are in test/visual. After an intended change, build, look at the pages, and keep new pictures with
 * `UPDATE_LOOKS=1 npx vitest run --project measured test/e2e/looks.measured.e2e.test.ts`.
 */

/** The window of a page into which axe was injected. */
interface AxeWindow {
  readonly axe: { run(context: object, options: RunOptions): Promise<AxeResults> };
}

const WIDTH = 360;
const HEIGHT = 740;
const THEMES = ["light", "dark"] as const;
/** Of all that axe looks at, only colours depend on the theme. */
const RULES = { light: {}, dark: { runOnly: ["color-contrast"] } } as const satisfies Record<string, RunOptions>;
const OTHER_MACHINE =
  "The looks of the app: NOT COMPARED with the pictures in test/visual, because another Chromium or other fonts " +
  "draw here; what runs over the edge, empty pages and what axe finds were looked at";

const isUpdating = process.env.UPDATE_LOOKS === "1";

const fixture = aBrowserFixture();
let tour: VisualRun;
let compares = false;
/** The pages by the place of the name in their heads. */
const titles = new Map<string, string[]>();

beforeAll(async () => {
  tour = await VisualRun.begin(fixture);
  await tour.stranger.open("/welcome");
  const [chromium = ""] = fixture.browser.version().split(".");
  const hand: Renderer = { chromium, fonts: await tour.stranger.page.evaluate(fontWidths) };
  if (isUpdating) recordBaseline(hand);
  compares = !isUpdating && isSameRenderer(hand);
  if (!isUpdating && !compares) leaveRemark("looks", `${OTHER_MACHINE}.`);
});

/** Returns axe's violations in a theme, one line for each element. */
async function faultsOf(page: Page, theme: (typeof THEMES)[number]): Promise<readonly string[]> {
  const { passes, violations } = await page.evaluate(
    (rules) => (window as unknown as AxeWindow).axe.run(document, rules),
    RULES[theme],
  );
  expect(passes.length).toBeGreaterThan(0);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, target }) => `${theme} ${id}: ${target.join(" ")} ${failureSummary}`),
  );
}

/** Checks a page in a theme with axe, and its picture against the kept one. */
async function look(page: Page, name: string, theme: (typeof THEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  expect.soft(await faultsOf(page, theme)).toEqual([]);
  // Anything that a screenshot adds to hide a caret is a style that the app's policy refuses.
  const picture = await page.screenshot({ caret: "initial" });
  if (!compares) expect.soft(coloursOf(picture)).toBeGreaterThan(8);
  if (isUpdating) keep(`${name}-${theme}`, picture);
  if (compares) expect.soft(difference(`${name}-${theme}`, picture)).toBeUndefined();
}

/** The paths of all pages; those of a receipt and a refund have the payment's id as fragment. */
const addresses = (): readonly string[] =>
  Object.keys(appPaths).map((path) => (path === "/receipt" || path === "/refund" ? `${path}#${tour.paymentId}` : path));

describe("looked at in light and in dark", () => {
  it.each(stations.map((station): [string, PageState] => [nameOf(station), station]))("%s", async (name, station) => {
    await tour.reach(station);
    const { page } = tour[station.on];
    await page.evaluate(freezeTexts);
    expect.soft(await page.evaluate(overTheEdge)).toEqual([]);
    const place = await page.evaluate(titlePlace);
    if (place !== undefined) titles.set(place, [...(titles.get(place) ?? []), name]);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    if (height > HEIGHT) await page.setViewportSize({ width: WIDTH, height });
    for (const theme of THEMES) await look(page, name, theme);
    if (height > HEIGHT) await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  });

  it("the names of all pages at one place, in letters of one size", () => {
    expect([...titles].map(([place, pages]) => `${place}: ${pages}`)).toHaveLength(1);
    expect([...titles.values()].flat().length).toBeGreaterThan(30);
  });

  it("every page of the app", () => {
    const pages = new Set<string>(stations.map(({ page }) => page));
    expect([...Object.values(appPaths), "lost", "lock"].filter((page) => !pages.has(page))).toEqual([]);
    const names = stations.flatMap((station) => THEMES.map((theme) => `${nameOf(station)}-${theme}`));
    expect(keptNames().toSorted()).toEqual(names.toSorted());
  });
});

describe("nothing runs over the edge", () => {
  it.each(Object.keys(languages).filter((language) => language !== "es"))("on any page in %s", async (language) => {
    const { page } = tour.shop;
    await page.evaluate((chosen) => localStorage.setItem("cupo.language", chosen), language);
    for (const address of addresses()) {
      await tour.shop.open(address);
      await page.locator("cupo-app main > *").waitFor();
      await page.waitForFunction(isSettled);
      expect(await page.locator("html").getAttribute("lang")).toBe(language);
      expect.soft(await page.evaluate(overTheEdge), address).toEqual([]);
    }
  });
});
