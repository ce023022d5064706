import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LONG } from "../support/long-tests.ts";
import { openWebKit, type WebKit } from "../support/open-webkit.ts";
import { leaveRemark } from "../support/remarks.ts";
import { findWebKit, WITHOUT_WEBKIT } from "../support/webkit.ts";
import { holdBeforeCamera, replaceCamera } from "./support/camera.ts";
import { Product } from "./support/product.ts";
import { ServiceApi } from "./support/service-api.ts";
import { WebKitPhone } from "./support/webkit-phone.ts";

const JOURNEYS = "Journeys in WebKit";
const SHOP = "Café La Candelaria";
const driverPath = findWebKit(JOURNEYS);
if (driverPath === undefined) leaveRemark("webkit", `${JOURNEYS}: ${WITHOUT_WEBKIT}.`);

/** A scanner that fails at a quarter of its starts passes the short form once in 30 runs, and never the long one. */
const STARTS = LONG ? 50 : 12;
const STARTS_TIMEOUT_MS = STARTS * 10_000;

/** Everything but passkeys, push messages and the network's absence: WebKitGTK has no tools for those. */
describe.skipIf(driverPath === undefined)("in WebKit", () => {
  let product: Product;
  let api: ServiceApi;
  let webkit: WebKit;
  let ana: WebKitPhone;

  beforeAll(async () => {
    [product, webkit] = await Promise.all([Product.start(), openWebKit(driverPath ?? "")]);
    api = await ServiceApi.of(product.demo);
    ana = await WebKitPhone.take(webkit.driver, product);
  });
  afterEach(async () => {
    expect(await ana.faults()).toEqual([]);
  });
  afterAll(async () => {
    await webkit?.close();
    await product?.remove();
  });

  /** Opens Home and Scan with a picture of a code before the camera; returns the reference that Confirm then shows. */
  async function scan(image: Buffer): Promise<string> {
    await ana.open("/");
    await ana.run(replaceCamera);
    await ana.run(holdBeforeCamera, image.toString("base64"));
    await ana.openScan();
    return ana.toConfirm();
  }

  it("the demo's people sign in over http on this machine", async () => {
    await ana.signInAsPayer();
    await ana.open("/");
    await ana.find("cupo-home-page >>> .quota[aria-busy=false]");
  });

  it("a code before the camera pays, once", async () => {
    const { reference, image } = await api.makeQrImage("image/png", { amount: 1_234 });
    expect(await scan(image)).toBe(reference);
    expect(await ana.pay()).toContain(SHOP);
    expect(await api.approvedOf(reference)).toBe(1);
  });

  it(
    "the scanner reads a code at every start",
    async () => {
      const { reference, image } = await api.makeQrImage("image/png", { amount: 2_000 });
      const read: string[] = [];
      while (read.length < STARTS) read.push(await scan(image));
      expect(read).toEqual(Array.from({ length: STARTS }, () => reference));
    },
    STARTS_TIMEOUT_MS,
  );
});
