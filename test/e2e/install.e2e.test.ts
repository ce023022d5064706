import { readFileSync } from "node:fs";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { words as scan } from "../../src/language/es/app/scan.ts";
import { words } from "../../src/language/es/app/start.ts";
import { WAIT_TIMEOUT_MS } from "./support/open-browser.ts";
import { OwnProfile } from "./support/own-profile.ts";
import { Product } from "./support/product.ts";
import { ServiceApi } from "./support/service-api.ts";

interface Picture {
  readonly src: string;
  readonly sizes: string;
  readonly purpose?: string;
  readonly form_factor?: "narrow" | "wide";
}

interface Manifest {
  readonly icons: readonly Picture[];
  readonly screenshots: readonly Picture[];
  readonly shortcuts: readonly { readonly name: string; readonly url: string; readonly icons: readonly Picture[] }[];
}

const manifest = JSON.parse(readFileSync("dist/app/manifest.webmanifest", "utf8")) as Manifest;

let product: Product;
let profile: OwnProfile;
let page: Page;
let session: CDPSession;

beforeAll(async () => {
  [product, profile] = await Promise.all([Product.start(), OwnProfile.open()]);
  await profile.signIn(product);
  page = profile.context.pages()[0] as Page;
  session = await profile.context.newCDPSession(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
});

afterAll(async () => {
  await profile?.end();
  await product?.remove();
});

it("the browser finds nothing against installing the app, and reads its manifest without a fault", async () => {
  await expect.poll(async () => (await session.send("Page.getInstallabilityErrors")).installabilityErrors).toEqual([]);
  const { errors, url } = await session.send("Page.getAppManifest");
  expect({ errors, url }).toEqual({ errors: [], url: `${product.origin}/manifest.webmanifest` });
  expect((await session.send("Page.getAppId")).appId).toBe(`${product.origin}/`);
});

it("every icon and screenshot is there, as large as the manifest says", async () => {
  const { icons, screenshots, shortcuts } = manifest;
  expect(new Set(icons.map(({ purpose }) => purpose))).toEqual(new Set(["any", "maskable", "monochrome"]));
  expect(new Set(screenshots.map(({ form_factor: form }) => form))).toEqual(new Set(["narrow", "wide"]));
  const pictures = [...icons, ...screenshots, ...shortcuts.flatMap((shortcut) => shortcut.icons)];
  for (const { src, sizes } of pictures.filter(({ src: address }) => address.endsWith(".png"))) {
    const answer = await page.request.get(`${product.origin}${src}`);
    const bytes = await answer.body();
    // Width and height stand in a PNG's first chunk.
    expect([src, `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`]).toEqual([src, sizes]);
  }
});

it("each shortcut opens its page", async () => {
  const titles: Readonly<Record<string, string>> = {
    "/scan": scan.title,
    "/receive": words.receive.title,
    "/history": words.list.history,
  };
  expect(manifest.shortcuts.map(({ url }) => url)).toEqual(Object.keys(titles));
  for (const { url } of manifest.shortcuts) {
    await page.goto(`${product.origin}${url}`);
    await page.getByRole("heading", { level: 1, name: titles[url] ?? "" }).waitFor();
  }
});

it("a screenshot with a code that another app shares opens Confirm, and stays nowhere", async () => {
  const { reference, image } = await (await ServiceApi.of(product.demo)).makeQrImage("image/png", { amount: 4_200 });
  const sharer = await profile.context.newPage();
  await sharer.setContent(
    `<form method="post" enctype="multipart/form-data" action="${product.origin}/share">
      <input name="title" value="Captura"><input type="file" name="image"><button>Compartir</button></form>`,
  );
  await sharer.locator("[type=file]").setInputFiles({ name: "captura.png", mimeType: "image/png", buffer: image });
  await sharer.getByRole("button", { name: "Compartir" }).click();
  const shown = sharer.locator("cupo-confirm-page .facts .reference");
  await shown.waitFor();
  expect((await shown.innerText()).replaceAll("-", "")).toBe(reference);
  const cached = await sharer.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().filter(({ url }) => new URL(url).pathname === "/share").length;
  });
  expect(cached).toBe(0);
  await sharer.close();
});

it("push messages that were turned on are renewed at each start", async () => {
  const early = await profile.context.newPage();
  await early.goto(`${product.origin}/`);
  await early.evaluate(() => localStorage.setItem("cupo.push", "1"));
  for (let start = 0; start < 2; start++) {
    const renewing = early.waitForRequest((request) => new URL(request.url()).pathname === "/v1/me/push");
    await early.reload();
    await renewing;
  }
  await early.evaluate(() => localStorage.removeItem("cupo.push"));
  await early.close();
});

it("money that arrives is told of by one message, however often it is pushed", async () => {
  const registered = Promise.withResolvers<string>();
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    for (const { registrationId, isDeleted } of registrations) if (!isDeleted) registered.resolve(registrationId);
  });
  await session.send("ServiceWorker.enable");
  const data = JSON.stringify({ title: "Cupo", body: "Recibiste un pago", tag: "payment-1" });
  const message = { origin: product.origin, registrationId: await registered.promise, data };
  const deliver = () => session.send("ServiceWorker.deliverPushMessage", message);
  await deliver();
  // Asking Chromium for its notifications while one is being shown can make it forget that one: it is pushed again.
  const shown = async () => {
    await deliver();
    return page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
    });
  };
  await expect.poll(shown, { timeout: WAIT_TIMEOUT_MS, interval: 500 }).toEqual([JSON.parse(data)]);
});

it("until there is a page, the mark stands in the middle of the paper", async () => {
  const early = await profile.context.newPage();
  const held = await profile.context.newCDPSession(early);
  await held.send("Emulation.setScriptExecutionDisabled", { value: true });
  await early.goto(`${product.origin}/`);
  const look = () => {
    const { backgroundImage, backgroundPosition } = getComputedStyle(document.body);
    return { mark: backgroundImage.includes("image/svg+xml"), at: backgroundPosition };
  };
  expect(await early.evaluate(look)).toEqual({ mark: true, at: "50% 50%" });
  await held.send("Emulation.setScriptExecutionDisabled", { value: false });
  await early.reload();
  await early.locator("cupo-home-page").waitFor();
  expect(await early.evaluate(look)).toMatchObject({ mark: false });
  await early.close();
});
