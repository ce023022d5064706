import { expect, it } from "vitest";
import { formatPaymentReference } from "../../src/payment-reference.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import type { Phone } from "./support/phone.ts";

const fixture = aBrowserFixture();

/** More tab stops than any page has. */
const MOST_STOPS = 40;

/** Returns the name of the focused element, and whether it shows the focus ring. */
function focusedOn({ page }: Phone) {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const ringed = element?.matches(":focus-visible") === true;
    return { ringed, name: element?.getAttribute("aria-label") ?? element?.textContent?.replace(/\s+/g, " ").trim() };
  });
}

/** Presses Tab until the focused element has this name; it must show the focus ring. */
async function tabTo(phone: Phone, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await phone.page.keyboard.press("Tab");
    const focused = await focusedOn(phone);
    seen.push(focused.name ?? "");
    if (!focused.name?.match(name)) continue;
    expect(focused.ringed).toBe(true);
    return;
  }
  throw new Error(`Tab never came to ${name}, only to ${seen.join(", ")}`);
}

it("somebody pays from Home to the receipt, and passes over History, with nothing but a keyboard", async () => {
  const { reference } = await fixture.api.makeQr({ amount: 3_100 });
  const before = await fixture.api.balances();
  const ana = await fixture.phoneOf("payer");
  const { keyboard } = ana.page;
  await tabTo(ana, ana.words.tabs.scan);
  await keyboard.press("Enter");
  await ana.page.getByRole("heading", { name: ana.words.scan.title }).waitFor();
  await tabTo(ana, ana.words.scan.type);
  await keyboard.press("Enter");
  await ana.page.getByLabel(ana.words.scan.typeLabel).waitFor();
  await keyboard.type(formatPaymentReference(reference));
  await keyboard.press("Enter");
  await ana.payButton.waitFor();
  await ana.page.getByRole("heading", { level: 1, name: /Café La Candelaria \$\s3\.100$/ }).waitFor();
  await expect.poll(async () => (await focusedOn(ana)).name).toMatch(/Café La Candelaria \$\s3\.100$/);
  await tabTo(ana, "3.100");
  await keyboard.press("Enter");
  expect((await ana.receipt()).amount).toContain("3.100");
  expect(await fixture.api.balances()).toEqual({ payer: before.payer - 3_100, merchant: before.merchant + 3_100 });
  await tabTo(ana, ana.words.common.done);
  await keyboard.press("Enter");
  await ana.page.locator("cupo-home-page").waitFor();
  await ana.movements("/history");
  await tabTo(ana, ana.words.list.skip);
  await keyboard.press("Enter");
  expect(await focusedOn(ana)).toEqual({ ringed: true, name: ana.words.tabs.home });
});
