import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { words as approval } from "../../src/language/en/app/approval.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { isCameraOff, showToCamera } from "./support/camera.ts";
import { openBrowser, picture } from "./support/open-browser.ts";
import { Phone } from "./support/phone.ts";
import type { Shop } from "./support/shop.ts";

const SHOP = "Café La Candelaria";
const LIFE_SECONDS = 900;
const PAID_WITHIN_MS = 3_000;

const fixture = aBrowserFixture();
let shop: Shop;
let ana: Phone;
let qrImage: Buffer;
let reference: string;

beforeAll(async () => {
  shop = await fixture.shop();
  ana = await fixture.newPhone({ language: "en" });
});

describe("paying a shop's QR with the camera", () => {
  it("begins at the shop: QR, payee, amount, check code, countdown", async () => {
    const shown = await shop.shown();
    expect(shown).toMatchObject({ payee: SHOP, amount: "$ 25.000" });
    expect(shown.checkCode).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(shown.secondsLeft).toBeGreaterThan(LIFE_SECONDS - 60);
    expect(shown.secondsLeft).toBeLessThanOrEqual(LIFE_SECONDS);
    expect(shown.appLink.startsWith(`${fixture.product.origin}/p#000201`)).toBe(true);
    qrImage = await shop.qrImage();
    await picture(shop.page, "01-shop");
  });

  it("welcomes Ana, who has 500 000", async () => {
    await ana.open("/");
    await ana.page.getByRole("button", { name: "Continue as Ana (demo)" }).waitFor();
    await picture(ana.page, "02-welcome");
    await ana.continueAs("payer");
    expect(await ana.available()).toBe("COP 500,000");
    await picture(ana.page, "03-home-new");
  });

  it("reads the code that the shop's page shows", async () => {
    await ana.openScan();
    await ana.page.getByText("Point the camera at the QR code").waitFor();
    await picture(ana.page, "04-scan-nothing-yet");
    const shown = await shop.shown();
    const started = performance.now();
    await showToCamera(ana.page, qrImage);
    const confirmed = await ana.toConfirm();
    console.info(`from the code before the camera to the Pay button: ${(performance.now() - started).toFixed(0)} ms`);
    expect(confirmed).toMatchObject({ payee: shown.payee, amount: "COP 25,000", checkCode: shown.checkCode });
    expect(await ana.page.evaluate(isCameraOff)).toBe(true);
    ({ reference } = confirmed);
    await picture(ana.page, "05-confirm");
  });

  it("pays, and the shop's page says so within three seconds without a reload", async () => {
    await shop.page.evaluate(() => Object.assign(globalThis, { sameLoad: true }));
    const pressed = await ana.pay();
    await shop.untilPaid();
    const tookMs = performance.now() - pressed;
    console.info(`from the press of Pay to the shop's "paid": ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(PAID_WITHIN_MS);
    expect(await shop.page.evaluate(() => "sameLoad" in globalThis)).toBe(true);
    await shop.untilConfirmed();
    const receipt = await ana.receipt();
    expect(receipt).toMatchObject({ title: `You paid ${SHOP}`, amount: "COP 25,000" });
    expect(receipt.facts.replaceAll("-", "")).toContain(reference);
    expect(receipt.facts).toContain("COP 475,000");
    await picture(ana.page, "06-receipt");
    await picture(shop.page, "07-shop-paid");
  });

  it("moved the quota of both, and both histories tell the same", async () => {
    expect(await ana.available()).toBe("COP 475,000");
    await picture(ana.page, "08-home-after");
    const merchant = await fixture.phoneOf("merchant", { language: "en" });
    expect(await merchant.available()).toBe("COP 325,000");
    await picture(merchant.page, "09-merchant-home");
    const sent = await ana.movements("/history");
    await picture(ana.page, "10-history");
    const got = await merchant.movements("/history");
    const received = await merchant.movements("/received");
    await picture(merchant.page, "11-received");
    expect([sent, got, received].map((rows) => rows.length)).toEqual([1, 1, 1]);
    expect(sent[0]).toMatch(/Café La Candelaria.*−COP 25,000/);
    for (const row of [...got, ...received]) expect(row).toMatch(/Ana Torres.*\+COP 25,000/);
  });

  it("says of the same QR that it is already paid, and moves nothing", async () => {
    const before = await fixture.api.balances();
    ana.watch.allow(/status of 409 .*\/v1\/approvals\)$/);
    await ana.openScan();
    await showToCamera(ana.page, qrImage);
    await ana.page.getByRole("alert").filter({ hasText: approval.paidByYou.title }).waitFor();
    await picture(ana.page, "12-already-paid");
    expect(await fixture.api.balances()).toEqual(before);
    expect(await fixture.api.approvedOf(reference)).toBe(1);
  });
});

it("freezes the picture once a code is read, while the page that confirms it is on its way", async () => {
  const phone = await fixture.phoneOf("payer");
  const { page } = phone;
  const tools = await phone.context.newCDPSession(page);
  await tools.send("Network.enable");
  await tools.send("Network.setBypassServiceWorker", { bypass: true });
  const released = Promise.withResolvers<undefined>();
  await page.route("**/assets/confirm-page-*.js", async (route) => {
    await released.promise;
    await route.continue();
  });
  const image = await (await fixture.shop()).qrImage();
  await phone.openScan();
  await showToCamera(page, image);
  await page.locator("cupo-scan-page .finder.read").waitFor();
  expect(await page.locator("cupo-scan-page video").evaluate((video) => (video as HTMLVideoElement).paused)).toBe(true);
  await picture(page, "14-read");
  released.resolve(undefined);
  await phone.toConfirm();
  expect(await page.evaluate(isCameraOff)).toBe(true);
});

/** Writes a film of one still picture for Chromium's fake camera: JPEG after JPEG, the code in the middle. */
async function filmOf({ page }: Shop, path: string): Promise<void> {
  await page.setViewportSize({ width: 640, height: 480 });
  await page.locator("pay-qr [part~=plate]").evaluate((plate) => plate.scrollIntoView({ block: "center" }));
  const frame = await page.screenshot({ type: "jpeg", quality: 90 });
  writeFileSync(path, Buffer.concat(Array.from({ length: 10 }, () => frame)));
}

it("the browser's own camera device, filming the shop's page, reads the code too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cupo-e2e-film-"));
  const film = join(folder, "camera.mjpeg");
  await filmOf(await fixture.shop(), film);
  const filming = await openBrowser([
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    `--use-file-for-fake-video-capture=${film}`,
  ]);
  try {
    const phone = await Phone.take(filming, fixture.product, { ownCamera: true, permissions: ["camera"] });
    await phone.continueAs("payer");
    await phone.openScan();
    expect(await phone.toConfirm()).toMatchObject({ payee: SHOP, amount: "$ 25.000" });
    await picture(phone.page, "13-confirm-spanish");
    expect(phone.watch.takeFaults()).toEqual([]);
  } finally {
    await filming.close();
    rmSync(folder, { recursive: true });
  }
});
