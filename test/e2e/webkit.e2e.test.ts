import { describe, expect, it } from "vitest";
import { LONG } from "../support/long-tests.ts";
import { leaveRemark } from "../support/remarks.ts";
import { findWebKit, WITHOUT_WEBKIT } from "../support/webkit.ts";
import { holdBeforeCamera, isCameraOff, replaceCamera, watchCamera } from "./support/camera.ts";
import { middleRow } from "./support/middle-row.ts";
import { NARROW_PAGES } from "./support/narrow-pages.ts";
import { overTheEdge } from "./support/visual/in-page.ts";
import { aWebKitFixture } from "./support/webkit-fixture.ts";

const JOURNEYS = "Journeys in WebKit";
const SHOP = "Café La Candelaria";
const DARK = "rgb(14, 21, 19)";
const ROWS = "cupo-movement-list >>> a.row";
const driverPath = findWebKit(JOURNEYS);
if (driverPath === undefined) leaveRemark("webkit", `${JOURNEYS}: ${WITHOUT_WEBKIT}.`);

/** A scanner that fails at a quarter of its starts passes the short form once in 30 runs, and never the long one. */
const STARTS = LONG ? 50 : 12;
const STARTS_TIMEOUT_MS = STARTS * 20_000;

/** Frames without a code before the one that has it: more than the scripts of the decoders take to load. */
const FRAMES = 5;

/** So many rows are some five screens. */
const PAYMENTS = 60;
const DEEP = 1_500;

/** Runs in the page: the colour of its ground. */
function ground(): string {
  return getComputedStyle(document.documentElement).backgroundColor;
}

/** Runs in the page: a device on which no camera fits, of which WebKit's error is no `DOMException`. */
function fitNoCamera(): void {
  const refuse = () => Promise.reject({ name: "OverconstrainedError", message: "Invalid constraint", constraint: "" });
  Object.defineProperty(MediaDevices.prototype, "getUserMedia", { value: refuse });
}

/** Runs in the page: counts the frames that are read: each is handed to the worker once the one before is answered. */
function countFrames(): void {
  const counted = { frames: 0 };
  Object.assign(globalThis, { counted });
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (
    message: unknown,
    transfer: Transferable[] | StructuredSerializeOptions = [],
  ) {
    counted.frames++;
    Reflect.apply(postMessage, this, [message, transfer]);
  };
}

/** Runs in the page: true once so many frames have been counted. */
function haveComeTo(frames: number): boolean {
  return (globalThis as unknown as { readonly counted: { readonly frames: number } }).counted.frames >= frames;
}

/** Runs in the page: holds the app's next write until the page is left; `kept.isWriting` is true meanwhile. */
function holdNextWrite(): void {
  const kept = { isWriting: false, isLeft: false };
  Object.assign(globalThis, { kept });
  addEventListener("pagehide", () => {
    kept.isLeft = true;
  });
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...record) {
    kept.isWriting = true;
    const request = put.apply(this, record);
    if (!kept.isLeft) request.addEventListener("success", () => this.put(...record));
    return request;
  };
}

/** Runs in the page: true if {@link holdNextWrite} ran in it, and a write has begun. */
function isWriting(): boolean {
  return (globalThis as { readonly kept?: { readonly isWriting: boolean } }).kept?.isWriting === true;
}

/** Everything but passkeys, push messages and notifications: WebKitGTK has no tools for those. */
describe.skipIf(driverPath === undefined)("in WebKit", () => {
  const fixture = aWebKitFixture(driverPath ?? "");

  /**
   * Opens Home and Scan, and holds a picture of a code before the camera once some frames without one have been read,
   * as it is with people; returns the reference that Confirm then shows.
   */
  async function scan(image: Buffer): Promise<string> {
    const { ana } = fixture;
    await ana.open("/");
    // WebDriver may answer before the page is another: the camera of the old one is of no use.
    await ana.find("cupo-home-page");
    await ana.run(replaceCamera);
    await ana.run(countFrames);
    await ana.click("a", ana.words.tabs.scan);
    await ana.until(haveComeTo, FRAMES);
    await ana.run(holdBeforeCamera, [image.toString("base64"), undefined] as const);
    return ana.toConfirm();
  }

  it("the demo's people sign in over http on this machine", async () => {
    await fixture.ana.signInAsPayer();
    await fixture.ana.open("/");
    await fixture.ana.find("cupo-home-page >>> .quota[aria-busy=false]");
  });

  it("an error of a page is seen by these tests", async () => {
    await fixture.ana.run(() => void setTimeout(() => JSON.parse("no JSON")));
    await expect.poll(() => fixture.proxy.takeFaults().join()).toContain("/: SyntaxError");
  });

  it("a code before the camera pays, once", async () => {
    const { reference, image } = await fixture.api.makeQrImage("image/png", { amount: 1_234 });
    expect(await scan(image)).toBe(reference);
    expect(await fixture.ana.pay()).toContain(SHOP);
    expect(await fixture.api.approvedOf(reference)).toBe(1);
  });

  it(
    "the scanner reads a code at every start",
    async () => {
      const { reference, image } = await fixture.api.makeQrImage("image/png", { amount: 2_000 });
      const read: string[] = [];
      while (read.length < STARTS) read.push(await scan(image));
      expect(read).toEqual(Array.from({ length: STARTS }, () => reference));
    },
    STARTS_TIMEOUT_MS,
  );

  it("the device's camera is on while Scan is open, even if a chosen one is gone, and off afterwards", async () => {
    const { ana } = fixture;
    await ana.open("/");
    await ana.run(() => localStorage.setItem("cupo.camera", "gone"));
    await ana.run(watchCamera);
    await ana.openScan();
    await ana.find("cupo-scan-page >>> .finder");
    expect(await ana.run(isCameraOff)).toBe(false);
    await ana.click("cupo-scan-page >>> button", ana.words.common.close);
    await ana.find("cupo-home-page");
    await ana.until(isCameraOff);
    await ana.run(() => localStorage.removeItem("cupo.camera"));
  });

  it("without a camera Scan says so, and its other ways are there", async () => {
    const { ana } = fixture;
    await ana.open("/");
    await ana.run(fitNoCamera);
    await ana.openScan();
    await ana.find("cupo-scan-page >>> .view", ana.words.scan.camera.missing.title);
    await ana.find("cupo-scan-page >>> button:enabled", ana.words.scan.image);
  });

  it("a picture of a code pays", async () => {
    const { ana, api } = fixture;
    const { reference, image } = await api.makeQrImage("image/png", { amount: 3_456 });
    await ana.open("/");
    await ana.openScan();
    await ana.chooseImage(image);
    expect(await ana.toConfirm()).toBe(reference);
    expect(await ana.pay()).toContain(SHOP);
    expect(await api.approvedOf(reference)).toBe(1);
  });

  it("History has the payments", async () => {
    const { ana } = fixture;
    await ana.open("/history");
    for (const amount of ["1,234", "3,456"]) await ana.find(ROWS, amount);
  });

  it("back from a receipt leads to the same row of History, by the page's button and by the browser's", async () => {
    const { ana, api, product } = fixture;
    const { payer, merchant } = product.demo.users;
    for (let paid = 0; paid < PAYMENTS; paid++)
      await api.client.createTransaction({ body: { from_user_id: payer.id, to_user_id: merchant.id, amount: 100 } });
    await ana.open("/");
    await ana.click("a", ana.words.tabs.history);
    const steps = [
      () => ana.click("cupo-receipt-page >>> button", ana.words.common.back),
      () => ana.driver.navigate().back(),
    ];
    for (const goBack of steps) {
      await ana.find(ROWS);
      await ana.until((top) => document.documentElement.scrollHeight > top + innerHeight, DEEP);
      await ana.run((top) => scrollTo(0, top), DEEP);
      const left = await ana.untilStill(middleRow);
      expect(await ana.run(() => scrollY)).toBeGreaterThan(DEEP / 2);
      await (await ana.find(`${ROWS}[href="${left?.link}"]`)).click();
      await ana.find("cupo-receipt-page >>> button", ana.words.common.back);
      expect(await ana.run(() => scrollY)).toBe(0);
      await goBack();
      await expect.poll(() => ana.run(middleRow), { timeout: 30_000 }).toEqual(left);
    }
  });

  it("a page that is kept for Back in the midst of a write has no later page wait, and goes on when back", async () => {
    const { ana, api, product } = fixture;
    const { payer, merchant } = product.demo.users;
    await api.client.createTransaction({ body: { from_user_id: payer.id, to_user_id: merchant.id, amount: 100 } });
    await ana.open("/");
    await ana.find("cupo-home-page >>> .quota[aria-busy=false]");
    await ana.run(holdNextWrite);
    await ana.run(() => dispatchEvent(new Event("online")));
    await ana.until(isWriting);
    await ana.open("/history");
    await ana.find(ROWS);
    await ana.driver.navigate().back();
    await ana.until(isWriting);
    await ana.click("a", ana.words.tabs.history);
    await ana.find(ROWS);
    await ana.find("cupo-history-page >>> header button:enabled");
  });

  it("dark, chosen in Profile, is dark at the next start too", async () => {
    const { ana } = fixture;
    const { settings } = ana.words.account;
    await ana.open("/profile");
    // The page is complete: a part that comes late moves the others.
    await ana.find("cupo-sessions-section >>> li");
    await ana.click("cupo-settings-section >>> label", settings.themes.dark);
    await expect.poll(() => ana.run(ground)).toBe(DARK);
    await ana.reload();
    await expect.poll(() => ana.run(ground)).toBe(DARK);
  });

  it.each(Object.entries(NARROW_PAGES))("%s is not wider than 320 px", async (page, [path, shown]) => {
    const { ana, api, proxy } = fixture;
    const { payload } = await api.makeQr({ amount: 9_876 });
    await ana.openFrame(proxy.narrow(page === "Confirm" ? `${path}${encodeURIComponent(payload)}` : path));
    await ana.find(shown);
    expect(await ana.run(() => innerWidth)).toBe(320);
    expect(await ana.run(overTheEdge)).toEqual([]);
  });

  it("History opens without a connection", async () => {
    const { ana, product } = fixture;
    await ana.open("/history");
    await ana.find(ROWS);
    await ana.until(() => navigator.serviceWorker.controller !== null);
    await product.stop();
    await ana.reload();
    await ana.find(ROWS);
    expect(await ana.run(() => navigator.onLine)).toBe(true);
  });
});
