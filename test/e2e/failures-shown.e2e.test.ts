import { expect, it } from "vitest";
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
