import jsqr from "jsqr";
import { beforeAll, describe, expect, it } from "vitest";
import { makePicture } from "../bench/scanner/make-picture.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { showToCamera } from "./support/camera.ts";
import { keptOnDevice } from "./support/kept-on-device.ts";
import { openBrowser, picture } from "./support/open-browser.ts";
import { Phone } from "./support/phone.ts";

const WASM = /^\/assets\/zxing_reader-[\w-]{8}\.wasm$/;
const WITH_WASM = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const WITHOUT_WASM = "default-src 'none'; script-src 'self'; connect-src 'self'";

const fixture = aBrowserFixture();
let payload: string;

beforeAll(async () => {
  ({ payload } = await fixture.api.makeQr({ amount: 1_000 }));
});

/** Encodes the pixels as an uncompressed image file: a BMP of 32 bits, its rows from the top. */
function bitmapFile({ width, height, data }: Awaited<ReturnType<typeof makePicture>>): Buffer {
  const header = Buffer.alloc(54);
  header.write("BM");
  for (const [at, value] of [
    [2, 54 + data.length],
    [10, 54],
    [14, 40],
    [18, width],
    [22, -height],
  ] as const) {
    header.writeInt32LE(value, at);
  }
  header.writeInt16LE(1, 26);
  header.writeInt16LE(32, 28);
  return Buffer.concat([header, Buffer.from(data.buffer)]);
}

/** Makes a photograph of the code at such an angle that the decoder in plain JavaScript does not read it. */
async function hardPicture(): Promise<Buffer> {
  const photograph = await makePicture({ group: "perspective", index: 8, count: 12, payload });
  expect(jsqr(photograph.data, photograph.width, photograph.height)).toBeNull();
  return bitmapFile(photograph);
}

/** Returns the paths in each of the browser's caches, by the cache's name. */
function cached({ page }: Phone): Promise<Readonly<Record<string, readonly string[]>>> {
  return page.evaluate(async () => {
    const paths: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      paths[name] = requests.map(({ url }) => new URL(url).pathname);
    }
    return paths;
  });
}

async function untilDecoderIsKept(phone: Phone): Promise<readonly string[]> {
  await expect.poll(async () => (await cached(phone))["cupo-decoder"] ?? [], { timeout: 10_000 }).toHaveLength(1);
  return (await cached(phone))["cupo-decoder"] ?? [];
}

describe("the decoder in WebAssembly", () => {
  it("comes when the scanner is first opened, from this origin, and reads offline from then on", async () => {
    const ana = await fixture.phoneOf("payer");
    await ana.untilKept();
    expect(
      Object.values(await cached(ana))
        .flat()
        .filter((path) => path.endsWith(".wasm")),
    ).toEqual([]);
    await ana.openScan();
    expect(await untilDecoderIsKept(ana)).toEqual([expect.stringMatching(WASM)]);
    await ana.context.setOffline(true);
    ana.watch.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    await ana.page.reload();
    await ana.page.getByText(ana.words.scan.lead).waitFor();
    await ana.chooseImage("image/bmp", await hardPicture());
    await ana.page.waitForURL("**/confirm");
  });

  it("is all that is cached beside the shell: no answer of the broker is", async () => {
    const ana = await fixture.phoneOf("payer");
    await ana.untilKept();
    await ana.openScan();
    await untilDecoderIsKept(ana);
    const names = Object.keys(await cached(ana));
    expect(names.filter((name) => !name.startsWith("workbox-precache"))).toEqual(["cupo-decoder"]);
    const { caches } = await keptOnDevice(ana.page);
    expect(Object.keys(caches).filter((path) => /^\/(?:v1|demo|\.well-known)/.test(path))).toEqual([]);
  });

  it("is done without where the browser compiles none, and nobody is troubled with it", async () => {
    // A test cannot change the policy of an answer that comes from a service worker.
    const ana = await fixture.phoneOf("payer", { serviceWorkers: "block" });
    ana.watch.allow(/Service Worker registration blocked|reading .waiting./);
    let policies = 0;
    await ana.context.route(/scan-worker/, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), "content-security-policy": WITHOUT_WASM };
      policies += Number(response.headers()["content-security-policy"] === WITH_WASM);
      await route.fulfill({ response, headers });
    });
    const asked: string[] = [];
    ana.context.on("request", (request) => asked.push(request.url()));
    const shop = await fixture.shop();
    await ana.openScan();
    await showToCamera(ana.page, await shop.qrImage());
    expect((await ana.toConfirm()).checkCode).toBe((await shop.shown()).checkCode);
    expect(policies).toBe(1);
    expect(asked.filter((url) => /jsqr-decoder/.test(url))).toHaveLength(1);
    expect(asked.filter((url) => url.endsWith(".wasm"))).toEqual([]);
  });
});

/** Script of a platform detector as some phones have it: it reads every picture, or fails at each. */
function detector(reads: string | undefined): string {
  const answer =
    reads === undefined ? "throw new Error('no service')" : `return [{ rawValue: ${JSON.stringify(reads)} }]`;
  return `globalThis.BarcodeDetector = class {
    static async getSupportedFormats() { return ["qr_code"]; }
    async detect() { ${answer} }
  };`;
}

describe("the platform's own detector", () => {
  it.each([
    ["reads where there is one, and nothing else is fetched", true],
    ["is done without once it has failed", false],
  ])("%s", async (_name, works) => {
    const ana = await fixture.phoneOf("payer", { serviceWorkers: "block" });
    ana.watch.allow(/Service Worker registration blocked|reading .waiting./);
    const asked: string[] = [];
    ana.context.on("request", (request) => asked.push(request.url()));
    await ana.context.route(/scan-worker/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: detector(works ? payload : undefined) + (await response.text()) });
    });
    await ana.openScan();
    if (!works) await ana.chooseImage("image/bmp", await hardPicture());
    await ana.page.waitForURL("**/confirm");
    expect(asked.filter((url) => /\.wasm$|jsqr-decoder/.test(url)).length > 0).toBe(!works);
  });
});

it("among several cameras one is chosen, and stays so on this device", async () => {
  const devices = "--use-fake-device-for-media-stream=device-count=3";
  const browser = await openBrowser([devices, "--use-fake-ui-for-media-stream"]);
  try {
    const phone = await Phone.take(browser, fixture.product, { ownCamera: true, permissions: ["camera"] });
    await phone.continueAs("payer");
    await phone.openScan();
    const choice = phone.page.getByRole("combobox", { name: phone.words.scan.chooseCamera });
    await choice.waitFor();
    await picture(phone.page, "26-scan-cameras");
    const [first, , third] = await choice
      .locator("option")
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    expect(await choice.inputValue()).toBe(first);
    await choice.selectOption(third ?? "");
    await phone.page.reload();
    await choice.waitFor();
    expect(await choice.inputValue()).toBe(third);
    expect(phone.watch.takeFaults()).toEqual([]);
  } finally {
    await browser.close();
  }
});

it("a picture that is copied is read when it is pasted", async () => {
  const shop = await fixture.shop();
  const ana = await fixture.phoneOf("payer", { permissions: ["clipboard-read", "clipboard-write"] });
  await ana.openScan();
  const image = [...(await shop.qrImage())];
  await ana.page.evaluate(async (bytes) => {
    const png = new Blob([Uint8Array.from(bytes)], { type: "image/png" });
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
  }, image);
  await ana.page.getByRole("button", { name: ana.words.scan.paste }).click();
  expect((await ana.toConfirm()).checkCode).toBe((await shop.shown()).checkCode);
});
