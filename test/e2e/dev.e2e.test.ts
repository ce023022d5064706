import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { bareEnvironment } from "../support/bare-environment.ts";
import { copyCluster } from "../support/cluster-template.ts";
import { aCheckout } from "./support/checkout.ts";
import { openBrowser, WAIT_TIMEOUT_MS } from "./support/open-browser.ts";
import { aPlace, environmentOf, type Place } from "./support/product.ts";
import { Terminal } from "./support/terminal.ts";

const READY = /^Cupo \S+ is ready\.$/m;

let folder: string;
let place: Place;
let terminal: Terminal;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [folder, place] = [aCheckout(), await aPlace()];
  await copyCluster(place.folder.path);
  terminal = new Terminal("npm run dev", folder, { ...bareEnvironment(), ...environmentOf(place) });
  [browser] = await Promise.all([openBrowser(), terminal.says(READY)]);
  page = await browser.newPage({ locale: "es" });
  // Nothing is built: what a page needs is compiled when it first asks for it.
  page.setDefaultTimeout(3 * WAIT_TIMEOUT_MS);
});

afterEach(() => {
  terminal.said = "";
});

afterAll(async () => {
  await browser?.close();
  await terminal?.interrupt();
  await place?.folder.remove();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const address = (path: string): string => `http://localhost:${place.port}${path}`;

function edit(path: string, from: string | RegExp, to: string): void {
  const file = join(folder, path);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(from);
  writeFileSync(file, text.replace(from, to));
}

it("npm run dev signs in a person of the demo, and shows an edit of the app by itself", async () => {
  await page.goto(address("/"));
  await page.getByRole("button", { name: "Ana" }).click();
  await page.getByText("Cupo disponible").waitFor();
  edit("src/language/es/app/start.ts", "Cupo disponible", "Cupo por gastar");
  await page.getByText("Cupo por gastar").waitFor();
  // A service worker that answers would show the page as it was.
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
});

it("shows an edit of an element, and of a demo page that has it, by itself", async () => {
  await page.goto(address("/demo/elements.html?element=pay-qr&state=paid"));
  await page.getByText("Pagado").waitFor();
  edit("src/language/es/elements/pay-qr.ts", 'paid: "Pagado"', 'paid: "Cobrado"');
  await page.getByText("Cobrado").waitFor();
  edit("src/language/es/demo/showcase.ts", "Ver por separado", "Ver a solas");
  await page.getByText("Ver a solas").waitFor();
});

it("restarts the server with its new code, which a request waits for", async () => {
  edit("server/http/health-routes.ts", '"status":"live"', '"status":"edited"');
  await terminal.says(/^Stopping/m);
  expect(await (await fetch(address("/health/live"))).json()).toEqual({ status: "edited" });
});

it("says that the server crashed, and starts it at the next save", async () => {
  edit("server/main.ts", /$/, "throw new Error('It crashed.');\n");
  await terminal.says(/Error: It crashed\..*The server ended/s);
  terminal.said = "";
  edit("server/main.ts", "throw new Error('It crashed.');\n", "");
  await terminal.says(READY);
  expect((await fetch(address("/health/live"))).status).toBe(200);
});

it("serves no file beside the sources of the pages", async () => {
  for (const path of ["/package.json", "/server/main.ts", `/@fs${place.folder.path}/key`])
    expect(`${path}: ${(await fetch(address(path), { headers: { accept: "*/*" } })).status}`).toBe(`${path}: 403`);
});

it("stops everything at Ctrl-C", async () => {
  expect(place.folder.postgresPid).toBeGreaterThan(0);
  await terminal.interrupt();
  expect(place.folder.postgresPid).toBeUndefined();
  await expect(fetch(address("/"))).rejects.toThrow();
});
