import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { type KeptOnDevice, keptOnDevice } from "./support/kept-on-device.ts";
import { picture, WAIT_TIMEOUT_MS } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";
import type { Shop } from "./support/shop.ts";

const BUILT = join(import.meta.dirname, "../../dist/app");
const COOKIE = "cupo-session";
const JSON_WEB_TOKEN = /eyJ[\w-]{10,}\.[\w-]+/;
const OPAQUE_TOKEN = /(?:ws|sk|si|cs|gc|lu)_[\w-]{20,}/;

const fixture = aBrowserFixture();
let shop: Shop;
let ana: Phone;

beforeAll(async () => {
  shop = await fixture.shop();
  ana = await fixture.newPhone();
  await ana.continueAs("payer");
  await ana.openCode(await shop.payload());
  await ana.toConfirm();
  await ana.pay();
  await ana.receipt();
});

/** Returns the secrets that must be nowhere on a device. */
async function secrets(): Promise<readonly string[]> {
  const { client_secret, merchant_keys, users, operator, database_url } = fixture.product.demo;
  const signInKeys = [users.payer, users.merchant, operator].map(({ sign_in_url }) =>
    String(new URL(sign_in_url).searchParams.get("key")),
  );
  const [cookie] = await ana.context.cookies();
  return [client_secret, merchant_keys.server_key, ...signInKeys, new URL(database_url).password, cookie?.value ?? "-"];
}

async function expectNoSecret(kept: KeptOnDevice, address: string): Promise<void> {
  for (const text of [...Object.values({ ...kept, caches: Object.values(kept.caches).join("\n") }), address]) {
    expect(text).not.toMatch(JSON_WEB_TOKEN);
    expect(text).not.toMatch(OPAQUE_TOKEN);
    for (const secret of await secrets()) expect(text).not.toContain(secret);
  }
}

const CONTINUE_AS_ANA = "Continuar como Ana (demo)";

/** Runs in a page: records every text of Home's heading and amounts, in every frame that is drawn. */
function watchTexts(): void {
  const texts = new Set<string>();
  Object.assign(globalThis, { texts });
  const look = (): void => {
    const home = document.querySelector("cupo-app")?.shadowRoot?.querySelector("cupo-home-page")?.shadowRoot;
    for (const shown of home?.querySelectorAll("h1, .money") ?? []) texts.add(shown.textContent ?? "");
    requestAnimationFrame(look);
  };
  look();
}

function textsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...(globalThis as unknown as { texts: Set<string> }).texts]);
}

/** Expects nothing of Ana on the device, but for the demo's button, which has her first name. */
async function expectNothingOfAna({ page }: Phone): Promise<void> {
  await vi.waitFor(async () => {
    const { localStorage, sessionStorage, indexedDb, document } = await keptOnDevice(page);
    expect([sessionStorage, indexedDb]).toEqual(["{}", "[]"]);
    expect(Object.keys(JSON.parse(localStorage) as object)).toEqual(["cupo.qr-keys"]);
    expect(document).not.toContain("Ana Torres");
  }, WAIT_TIMEOUT_MS);
}

/** The paths of all files that the build made for the app. */
function builtPaths(): ReadonlySet<string> {
  const files = readdirSync(BUILT, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Set(files.map(({ parentPath, name }) => join(parentPath, name).slice(BUILT.length)));
}

describe("after a payment", () => {
  it("the session is a cookie that no script or other site gets, on this machine without TLS", async () => {
    const cookies = await ana.context.cookies();
    expect(
      cookies.map(({ name, httpOnly, secure, sameSite, path, domain }) => [
        name,
        httpOnly,
        secure,
        sameSite,
        path,
        domain,
      ]),
    ).toEqual([[COOKIE, true, false, "Strict", "/", "localhost"]]);
    expect((await keptOnDevice(ana.page)).cookies).toBe("");
  });

  it("no token and no secret is in the app's storages, caches, document or address", async () => {
    const kept = await keptOnDevice(ana.page);
    // The search really reads the device: the receipt is in the document, the attempt in the tab's storage.
    expect(kept.document).toContain("Pagaste a Café La Candelaria");
    expect(kept.sessionStorage).toContain("000201");
    expect(kept.indexedDb).toContain("Ana Torres");
    expect(Object.keys(kept.caches)).toContain("/index.html");
    await expectNoSecret(kept, ana.page.url());
  });

  it("no token is in the shop's page either", async () => {
    await shop.untilPaid();
    const kept = await keptOnDevice(shop.page);
    expect(kept.document).toContain("Pagado");
    await expectNoSecret(kept, shop.page.url());
    expect([kept.localStorage, kept.sessionStorage, kept.indexedDb]).toEqual(["{}", "{}", "[]"]);
  });

  it("the cache holds the shell's files and no answer of the API", async () => {
    const built = builtPaths();
    const { caches } = await keptOnDevice(ana.page);
    expect(Object.keys(caches).filter((path) => !built.has(path))).toEqual([]);
  });

  it("the app opens offline from what the first visit kept", async () => {
    await ana.untilKept();
    ana.watch.allow(/net::ERR_INTERNET_DISCONNECTED/);
    await ana.context.setOffline(true);
    const started = performance.now();
    await ana.open("/");
    await ana.page.getByRole("link", { name: ana.words.tabs.scan }).waitFor();
    console.info(`opened offline in ${(performance.now() - started).toFixed(0)} ms`);
    await ana.page.getByText(ana.words.common.offline, { exact: true }).first().waitFor();
    await picture(ana.page, "60-offline-home");
    await ana.page.getByRole("link", { name: ana.words.tabs.history }).click();
    await ana.page.getByRole("heading", { name: ana.words.list.history }).waitFor();
    await picture(ana.page, "61-offline-history");
    await ana.context.setOffline(false);
  });

  it("the policy refuses what injected markup would do, and these tests would see a violation", async () => {
    const refused = await ana.page.evaluate(() => {
      const script = document.createElement("script");
      try {
        script.text = "globalThis.injected = true";
        document.body.append(script);
      } catch (error) {
        return String(error);
      }
      return "injected" in globalThis ? "it ran" : "it did not run";
    });
    expect(refused).toContain("TypeError");
    const far = await ana.page.evaluate(() => fetch("https://elsewhere.example/").catch((error) => String(error)));
    expect(far).toContain("TypeError");
    const seen: string[] = [];
    await vi.waitFor(() => {
      seen.push(...ana.watch.takeFaults());
      for (const directive of ["require-trusted-types-for", "connect-src"]) {
        expect(seen.join("\n")).toContain(`violation of ${directive}`);
      }
    }, WAIT_TIMEOUT_MS);
    // The browser's own errors about the same two violations may come later.
    ana.watch.allow(/elsewhere\.example|Trusted ?Script/i);
  });

  it("a tab that is closed in the middle of signing out leaves nothing to whoever opens the app next", async () => {
    // The browser logs the refusal that says that nobody is signed in.
    ana.watch.allow(/status of 401/);
    const leaving = await ana.nextTab();
    const pressed = leaving.page.waitForRequest(/\/v1\/sign-out$/);
    await leaving.page.route("**/v1/sign-out", () => undefined);
    await leaving.open("/profile");
    await leaving.page.getByRole("button", { name: ana.words.home.signOut }).click();
    await pressed;
    await leaving.page.close();
    await ana.page.close();
    const next = await ana.nextTab();
    await next.page.addInitScript(watchTexts);
    await next.open("/");
    await next.page.getByRole("button", { name: CONTINUE_AS_ANA }).waitFor();
    expect((await textsOf(next.page)).filter((text) => /Hola|\$/.test(text))).toEqual([]);
    await expectNothingOfAna(next);
    ana = next;
  });

  it("signing out leaves nothing of the person, in no tab", async () => {
    await ana.continueAs("payer");
    const other = await ana.nextTab();
    await other.open("/history");
    await other.page.locator("cupo-movement-list .row").first().waitFor();
    await ana.open("/profile");
    await ana.page.getByRole("button", { name: ana.words.home.signOut }).click();
    for (const tab of [ana, other]) await tab.page.getByRole("button", { name: CONTINUE_AS_ANA }).waitFor();
    for (const tab of [ana, other]) await expectNothingOfAna(tab);
    expect(await ana.context.cookies()).toEqual([]);
  });
});
