import { expect, it } from "vitest";
import type { AppContext } from "../../pwa/context/app-context.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { Phone } from "./support/phone.ts";

const fixture = aBrowserFixture();

it("a page that fails at its beginning says so above the page, until the person has read it", async () => {
  const ana = await fixture.phoneOf("payer");
  const { page, watch, words } = ana;
  const { payload } = await fixture.api.makeQr();
  // The attempt to pay has no room in the storage of the tab.
  await page.evaluate(() => {
    for (let size = 2 ** 22; size >= 1; size = Math.floor(size / 2)) {
      try {
        for (;;) sessionStorage.setItem(`filling-${sessionStorage.length}`, "x".repeat(size));
      } catch {
        // Full for this size; a smaller one may fit.
      }
    }
  });
  watch.allow(/QuotaExceededError|exceeded the quota/);
  await ana.openCode(payload);
  const bar = page.getByRole("status").filter({ hasText: words.failures.something_wrong.title });
  await bar.waitFor();
  await bar.getByRole("button", { name: words.common.understood }).click();
  await bar.waitFor({ state: "detached" });
});

it("an app whose words do not load offers to load it again, in the person's language, and then opens", async () => {
  const { context, page, watch, words } = await Phone.take(fixture.browser, fixture.product, {
    language: "en",
    serviceWorkers: "block",
  });
  watch.allow(/ERR_FAILED|Failed to fetch dynamically imported module/);
  const scripts = /\/assets\/start-[\w-]+\.js$/;
  await context.route(scripts, (route) => route.abort());
  await page.goto(`${fixture.product.origin}/welcome`);
  const again = page.getByRole("button", { name: words.common.retry });
  await again.waitFor();
  expect(await page.getByText("Cupo couldn't open").isVisible()).toBe(true);
  expect(await page.getByText("Cupo no se pudo abrir").isVisible()).toBe(false);
  await context.unroute(scripts);
  await again.click();
  await page.locator("cupo-welcome-page").waitFor();
  expect(await again.isVisible()).toBe(false);
  await context.close();
});

it("a page that throws while it is rendered is told as a failure, and the app goes on", async () => {
  const { page, watch, words } = await fixture.phoneOf("payer");
  const tab = (name: string) => page.getByRole("link", { name, exact: true }).last();
  const failure = page.getByRole("heading", { name: words.pageNotLoaded.title });
  const history = page.getByRole("heading", { name: words.list.history, exact: true });
  const profile = page.locator("cupo-profile-page h1");
  await tab(words.tabs.history).click();
  await history.waitFor();
  await tab(words.tabs.profile).click();
  await profile.waitFor();
  watch.allow(/this page is broken/);
  await page.evaluate(() => {
    const { prototype } = customElements.get("cupo-history-page") ?? {};
    const render = (): never => {
      throw new Error("this page is broken");
    };
    Object.defineProperty(prototype, "render", { value: render, configurable: true });
  });
  await tab(words.tabs.history).click();
  await failure.waitFor();
  await tab(words.tabs.profile).click();
  await profile.waitFor();
  expect(await failure.count()).toBe(0);
  // Mended, it opens by the button of the failure.
  await tab(words.tabs.history).click();
  await failure.waitFor();
  await page.evaluate(() => Reflect.deleteProperty(customElements.get("cupo-history-page")?.prototype ?? {}, "render"));
  await page.getByRole("button", { name: words.common.retry }).click();
  await history.waitFor();
});

it("a code that was scanned without a connection is said to be saved once it is, and not before", async () => {
  const ana = await fixture.phoneOf("payer");
  const { context, page, words } = ana;
  const { payload } = await fixture.api.makeQr({ amount: 2_000 });
  await ana.untilKept();
  await ana.open("/scan");
  ana.watch.allow(/net::ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await page.evaluate(() => {
    const { context: app } = document.querySelector("cupo-app") as unknown as { readonly context: AppContext };
    const keep = app.store.keepDraft.bind(app.store);
    app.store.keepDraft = async (draft) => {
      await new Promise<void>((goOn) => Object.assign(globalThis, { goOn }));
      return keep(draft);
    };
  });
  await ana.type(payload);
  await ana.isTold("no_connection");
  await page.waitForFunction(() => "goOn" in globalThis);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const saved = page.getByText(words.approval.savedOnHome);
  expect(await saved.count()).toBe(0);
  await page.evaluate(() => (globalThis as unknown as { readonly goOn: () => void }).goOn());
  await saved.waitFor();
});
