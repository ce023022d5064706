import type { Route } from "playwright-core";
import { expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { showToCamera } from "./support/camera.ts";
import type { Phone } from "./support/phone.ts";

const AMOUNT = 25_000;
const SHOP = "Café La Candelaria";
/** A code's name of a payee whom the person does not know yet: it does not tell a shop from a person. */
const MASKED = "Cafe C.";
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

/** The payee as Confirm names them. */
function payeeOf({ page }: Phone): Promise<string> {
  return page.locator("cupo-confirm-page .who .payee").innerText();
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

/** Holds the answers about one payment, and looks at payee and amount from the code to the receipt. */
async function itStays(phone: Phone, names: readonly [code: string, broker: string], begin: () => Promise<void>) {
  const { page, words } = phone;
  const { confirm } = words;
  await expect.poll(() => page.evaluate(() => localStorage.getItem("cupo.qr-keys"))).not.toBeNull();
  const open = await hold(phone, "**/v1/approvals");
  const pay = await hold(phone, "**/v1/approvals/*/confirm");
  const button = page.locator("cupo-pay-button button");
  await begin();
  await button.filter({ hasText: confirm.reading }).waitFor();
  await page.locator("cupo-confirm-page .who .money").waitFor();
  const read = await seen(phone);
  expect(await payeeOf(phone)).toBe(names[0]);
  expect(await button.isDisabled()).toBe(true);
  open();
  await phone.payButton.waitFor();
  expectSame(await seen(phone), read);
  expect(await payeeOf(phone)).toBe(names[1]);
  await phone.pay();
  await button.filter({ hasText: confirm.paying }).waitFor();
  expect(await button.isDisabled()).toBe(true);
  expectSame(await seen(phone), read);
  pay();
  expect((await phone.receipt()).title).toBe(`${confirm.paidTo} ${names[1]}`);
  expectSame(await seen(phone), read);
  await page.unrouteAll();
}

it("payee and amount stay where they are from the camera to the receipt, a known payee by their name", async () => {
  const ana = await fixture.phoneOf("payer");
  const names = [
    [MASKED, SHOP],
    [SHOP, SHOP],
  ] as const;
  for (const [code, broker] of names) {
    const shop = await fixture.shop();
    const image = await shop.qrImage();
    await itStays(ana, [code, broker], async () => {
      await ana.openScan();
      await showToCamera(ana.page, image);
    });
    await ana.movements("/history");
  }
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
