import { expect, it } from "vitest";
import { words } from "../../src/language/es/elements/pay-qr.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture } from "./support/open-browser.ts";

const fixture = aBrowserFixture();

it("on a phone the shop's page leads into the app, where it is paid, and unfolds its code on request", async () => {
  const ana = await fixture.phoneOf("payer");
  const { context, page } = ana;
  await ana.open("/demo/");
  const link = page.getByRole("link", { name: words.openApp });
  await link.waitFor();
  await page.locator("pay-qr").scrollIntoViewIfNeeded();
  await picture(page, "shop-on-a-phone");
  const code = page.locator("pay-qr [part=qr]");
  expect(await code.isVisible()).toBe(false);
  await page.getByText(words.showCode).click();
  await code.waitFor();
  await picture(page, "shop-on-a-phone-code");
  const [app] = await Promise.all([context.waitForEvent("page"), link.click()]);
  await app.locator("cupo-pay-button button:enabled").click();
  await page.getByText("Pago confirmado.").waitFor();
});
