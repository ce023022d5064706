import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { addAuthenticator, enrol, invite, takeUp } from "./support/passkeys.ts";
import type { Phone } from "./support/phone.ts";

/** Where the keyboard begins on the smallest iPhones, less what the browser's bars take. */
const KEYBOARD_TOP = 300;

/** The phone number of the demo's third person. */
const OTHER_PHONE = "+573109876543";

const fixture = aBrowserFixture();
let ana: Phone;
let shop: Phone;

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
  [ana, shop] = await Promise.all([fixture.phoneOf("payer"), fixture.phoneOf("merchant")]);
  for (const { context } of [ana, shop]) await context.addInitScript(replaceVisualViewport);
});

/** Has the shop paid, and opens the payer's receipt of it. */
async function openReceipt(): Promise<void> {
  const { payer, merchant } = fixture.product.demo.users;
  const body = { from_user_id: payer.id, to_user_id: merchant.id, amount: 5_000 };
  const { id } = (await fixture.api.client.createTransaction({ body })).body;
  await ana.open(`/receipt#${id}`);
}

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
  "at the amount of a transfer": async () => {
    const { transfer } = ana.words.approval;
    await ana.open("/transfer");
    await ana.page.locator("#number").fill(OTHER_PHONE);
    await ana.page.getByRole("button", { name: transfer.find }).click();
    const { continue: goOn } = ana.words.confirm;
    return [ana.page.getByLabel(transfer.askAmount), ana.page.getByRole("button", { name: goOn })];
  },
  "on Refund": async () => {
    await openReceipt();
    const id = new URL(ana.page.url()).hash;
    await shop.open(`/refund${id}`);
    const { change, continue: goOn } = shop.words.confirm;
    await shop.page.getByRole("button", { name: change }).click();
    return [shop.page.locator("cupo-amount-field input"), shop.page.getByRole("button", { name: goOn })];
  },
  "on Receive, at the shop's next sale": async () => {
    await shop.open("/receive");
    await shop.page.locator("cupo-receive-page svg[role=img]").waitFor();
    const { payer, merchant } = fixture.product.demo.users;
    const body = { from_user_id: payer.id, to_user_id: merchant.id, amount: 5_000 };
    await fixture.api.client.createTransaction({ body });
    await shop.page.locator("cupo-receive-page .arrived").waitFor();
    const { receive } = shop.words;
    return [shop.page.locator("cupo-amount-field input"), shop.page.getByRole("button", { name: receive.makeCode })];
  },
  "at a nickname": async () => {
    await openReceipt();
    const { nickname } = ana.words.receipts;
    await ana.page.getByText(nickname.add).click();
    return [ana.page.locator("#nickname"), ana.page.getByRole("button", { name: nickname.save })];
  },
  "at an invitation": async () => {
    const phone = await fixture.newPhone();
    await phone.context.addInitScript(replaceVisualViewport);
    const { link } = await invite(fixture.product, fixture.product.demo.users.payer.id);
    await phone.page.goto(link);
    const { enrol } = phone.words.account;
    return [phone.page.locator("#code"), phone.page.getByRole("button", { name: enrol.make })];
  },
  "at the name of a device": async () => {
    const phone = await fixture.newPhone();
    await phone.context.addInitScript(replaceVisualViewport);
    await enrol(fixture.product, phone, "payer");
    await phone.open("/profile");
    const { devices } = phone.words.account;
    const section = phone.page.locator("cupo-devices-section");
    await section
      .getByRole("button", { name: new RegExp(`^${devices.rename}`) })
      .first()
      .click();
    return [section.getByLabel(devices.newName), section.getByRole("button", { name: devices.save })];
  },
  "at a limit of one's own": async () => {
    const { devices, limits } = ana.words.account;
    await ana.open("/profile");
    const section = ana.page.locator("cupo-limits-section");
    await section.getByRole("button").first().click();
    await section.getByText(limits.own).waitFor();
    return [section.locator("cupo-amount-field input"), section.getByRole("button", { name: devices.save })];
  },
};

it.each(Object.entries(PLACES))("the action stays above the keyboard, below its field, %s", async (_place, open) => {
  const [field, action] = await open();
  const page = field.page();
  await field.focus();
  const before = await edges(action);
  const heightBefore = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(before.bottom).toBeGreaterThan(KEYBOARD_TOP);
  await leave(page, KEYBOARD_TOP);
  await expect.poll(async () => (await edges(action)).bottom).toBeLessThanOrEqual(KEYBOARD_TOP);
  expect((await edges(field)).bottom).toBeLessThanOrEqual((await edges(action)).top);
  expect((await edges(field)).top).toBeGreaterThanOrEqual(0);
  await leave(page, 740);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBe(heightBefore);
});

it("where the browser can, the page becomes smaller in place of being covered", () => {
  const [viewport = ""] = /<meta[^>]+name="viewport"[^>]+>/.exec(readFileSync("dist/app/index.html", "utf8")) ?? [];
  expect(viewport).toContain("interactive-widget=resizes-content");
});

it("Profile says how the app is added to the home screen, and that links still open in Safari", async () => {
  const phone = await fixture.phoneOf("payer");
  await phone.context.addInitScript(() => Object.defineProperty(navigator, "standalone", { value: false }));
  await phone.open("/profile");
  const { install } = phone.words.account;
  expect(install.byHand).toContain("se siguen abriendo en Safari");
  await phone.page.locator("cupo-install-section").getByText(install.byHand).waitFor();
});

it("a browser that does not keep the session of a new passkey says so", async () => {
  const phone = await fixture.newPhone();
  await phone.context.route("**/v1/enrolments/finish", async (route) => {
    const response = await route.fetch();
    await phone.context.clearCookies();
    const { "set-cookie": _kept, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  phone.watch.allow(/status of 401/);
  await addAuthenticator(phone.page);
  await takeUp(phone, await invite(fixture.product, fixture.product.demo.users.payer.id));
  await phone.page.getByText(phone.words.welcome.notKept.title).waitFor();
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
