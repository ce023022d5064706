import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import type { Phone } from "./support/phone.ts";

/** Where the keyboard begins on the smallest iPhones, less what the browser's bars take. */
const KEYBOARD_TOP = 300;

const fixture = aBrowserFixture();
let ana: Phone;

/** Runs before the scripts of a page: a keyboard that covers the page, as on an iPhone, which Chromium has not. */
function replaceVisualViewport(): void {
  const viewport = Object.assign(new EventTarget(), { height: innerHeight, offsetTop: 0, scale: 1 });
  Object.defineProperty(globalThis, "visualViewport", { value: viewport });
}

/** Lets the keyboard leave so many px of the page. */
async function leave(page: Page, height: number): Promise<void> {
  await page.evaluate((left) => {
    Object.assign(visualViewport ?? {}, { height: left });
    visualViewport?.dispatchEvent(new Event("resize"));
  }, height);
}

/** Returns the top and the bottom of an element. */
async function edges(element: Locator): Promise<{ readonly top: number; readonly bottom: number }> {
  return element.evaluate((shown) => {
    const { top, bottom } = shown.getBoundingClientRect();
    return { top, bottom };
  });
}

beforeAll(async () => {
  ana = await fixture.phoneOf("payer");
  await ana.context.addInitScript(replaceVisualViewport);
});

const PLACES: Readonly<Record<string, () => Promise<readonly [field: Locator, action: Locator]>>> = {
  "on Confirm": async () => {
    const { payload } = await fixture.api.makeQr({ amount: undefined });
    await ana.openCode(payload);
    const { confirm } = ana.words;
    return [ana.page.getByLabel(confirm.askAmount), ana.page.getByRole("button", { name: confirm.continue })];
  },
  "on Transfer": async () => {
    const { transfer } = ana.words.approval;
    await ana.open("/transfer");
    return [ana.page.locator("#number"), ana.page.getByRole("button", { name: transfer.find })];
  },
  "on Scan": async () => {
    const { scan } = ana.words;
    await ana.open("/scan");
    await ana.page.getByRole("button", { name: scan.type }).click();
    return [ana.page.getByLabel(scan.typeLabel), ana.page.getByRole("button", { name: scan.go })];
  },
};

it.each(Object.entries(PLACES))("the action stays above the keyboard, below its field, %s", async (_place, open) => {
  const [field, action] = await open();
  await field.focus();
  const before = await edges(action);
  expect(before.bottom).toBeGreaterThan(KEYBOARD_TOP);
  await leave(ana.page, KEYBOARD_TOP);
  await expect.poll(async () => (await edges(action)).bottom).toBeLessThanOrEqual(KEYBOARD_TOP);
  expect((await edges(field)).bottom).toBeLessThanOrEqual((await edges(action)).top);
  expect((await edges(field)).top).toBeGreaterThanOrEqual(0);
  await leave(ana.page, 740);
  await expect.poll(() => edges(action)).toEqual(before);
});

it("Safari on an iPhone is given a start-up image of its screen: the mark on the theme's ground", async () => {
  const phone = await fixture.newPhone({ colorScheme: "dark" });
  await phone.context.addInitScript(() => Object.defineProperty(navigator, "standalone", { value: false }));
  await phone.open("/welcome");
  const link = phone.page.locator("link[rel=apple-touch-startup-image]");
  await link.waitFor({ state: "attached" });
  const drawn = await link.evaluate(async (element) => {
    const image = new Image();
    image.src = (element as HTMLLinkElement).href;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const paper = canvas.getContext("2d", { willReadFrequently: true });
    paper?.drawImage(image, 0, 0);
    const colourAt = (x: number, y: number) => [...(paper?.getImageData(x, y, 1, 1).data ?? [])];
    const isOfScreen = width === screen.width * devicePixelRatio && height === screen.height * devicePixelRatio;
    const left = width / 2 - 40 * devicePixelRatio;
    return { isOfScreen, corner: colourAt(0, 0), mark: colourAt(left, height / 2) };
  });
  expect(drawn).toEqual({ isOfScreen: true, corner: [14, 21, 19, 255], mark: [11, 110, 95, 255] });
});
