import type { Route } from "playwright-core";
import { expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import type { Phone } from "./support/phone.ts";

const AMOUNT = 25_000;
/** A browser may round to whole pixels. */
const ROUNDING_PX = 1;
const fixture = aBrowserFixture();

/** Holds requests until they are released, so that what is shown meanwhile can be looked at. */
async function hold({ page }: Phone, url: string, method = "POST"): Promise<() => void> {
  const released = Promise.withResolvers<undefined>();
  await page.route(url, async (route: Route) => {
    if (route.request().method() === method) await released.promise;
    await route.continue();
  });
  return () => released.resolve(undefined);
}

/** The distance of payee and amount from the top of the screen. */
async function seen({ page }: Phone) {
  const confirm = page.locator("cupo-confirm-page");
  const at = async (selector: string): Promise<number> => {
    const box = await confirm.locator(selector).boundingBox();
    return box === null ? Number.NaN : box.y;
  };
  return { payee: await at(".who .payee"), amount: await at(".who .money") };
}

function expectSame(now: Awaited<ReturnType<typeof seen>>, before: typeof now): void {
  expect(Math.abs(now.payee - before.payee)).toBeLessThanOrEqual(ROUNDING_PX);
  expect(Math.abs(now.amount - before.amount)).toBeLessThanOrEqual(ROUNDING_PX);
}

it("payee and amount stay where they are from code to receipt, and the button says what is awaited", async () => {
  const qr = await fixture.api.makeQr({ amount: AMOUNT });
  const ana = await fixture.phoneOf("payer");
  await expect.poll(() => ana.page.evaluate(() => localStorage.getItem("cupo.qr-keys"))).not.toBeNull();
  const open = await hold(ana, "**/v1/approvals");
  const pay = await hold(ana, "**/v1/approvals/*/confirm");
  const button = ana.page.locator("cupo-pay-button button");
  await ana.openCode(qr.payload);
  const { confirm } = ana.words;
  await button.filter({ hasText: confirm.reading }).waitFor();
  await ana.page.locator("cupo-confirm-page .who .money").waitFor();
  const read = await seen(ana);
  expect(await button.isDisabled()).toBe(true);
  open();
  await ana.payButton.waitFor();
  expectSame(await seen(ana), read);
  await ana.pay();
  await button.filter({ hasText: confirm.paying }).waitFor();
  expect(await button.isDisabled()).toBe(true);
  expectSame(await seen(ana), read);
  pay();
  const { title } = await ana.receipt();
  expect(title).toContain(confirm.paidTo);
  expectSame(await seen(ana), read);
});

it("from the code to the receipt it takes one press of the button", async () => {
  const qr = await fixture.api.makeQr({ amount: AMOUNT });
  const ana = await fixture.phoneOf("payer");
  await ana.page.addInitScript(() => {
    addEventListener("click", (event) => {
      if (event.isTrusted) sessionStorage.setItem("presses", String(Number(sessionStorage.getItem("presses")) + 1));
    });
  });
  await ana.openCode(qr.payload);
  await ana.pay();
  await ana.receipt();
  expect(await ana.page.evaluate(() => sessionStorage.getItem("presses"))).toBe("1");
});
