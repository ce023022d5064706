import { beforeAll, describe, expect, it } from "vitest";
import { words as receipts } from "../../src/language/es/app/receipts.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { showToCamera } from "./support/camera.ts";
import { countPresses } from "./support/count-presses.ts";
import { enrol } from "./support/passkeys.ts";
import type { Phone } from "./support/phone.ts";

const OLD_PAYEE = "Droguería Alemana";
/** More than one screen, and one answer, of newer payments. */
const NEWER = 250;

const fixture = aBrowserFixture();
/** Ana, on a phone that has her passkey. */
let ana: Phone;

beforeAll(async () => {
  ana = await fixture.newPhone({ viewport: { width: 390, height: 844 } });
  await enrol(fixture.product, ana, "payer");
});

function pay(payeeId: string, amount: number) {
  const { payer } = fixture.product.demo.users;
  return fixture.api.client.createTransaction({ body: { from_user_id: payer.id, to_user_id: payeeId, amount } });
}

const link = ({ page }: Phone, name: string) => page.getByRole("link", { name, exact: true });
const button = ({ page }: Phone, name: RegExp) => page.getByRole("button", { name });

/** Presses from Home on, with which a person on a phone is done: Enter is one, other keys and the finger are none. */
describe("presses", () => {
  it("two, and the finger: a code before the camera is paid", async () => {
    const qrImage = await (await fixture.shop()).qrImage();
    await ana.open("/");
    const presses = await countPresses(ana);
    await link(ana, ana.words.tabs.scan).click();
    await showToCamera(ana.page, qrImage);
    await ana.pay();
    await ana.receipt();
    expect(presses()).toBe(2);
  });

  it("two, and a word: a payment of long ago is found", async () => {
    const body = { name: "Luis Alemán", business_name: OLD_PAYEE, nit: "900555077", phone: "+573005550077", quota: 0 };
    const { id } = (await fixture.api.client.createUser({ body })).body;
    await pay(id, 1_500);
    const { merchant } = fixture.product.demo.users;
    for (let newer = 0; newer < NEWER; newer += 10) {
      await Promise.all(Array.from({ length: 10 }, () => pay(merchant.id, 100)));
    }
    const phone = await fixture.phoneOf("payer");
    const presses = await countPresses(phone);
    await link(phone, phone.words.tabs.history).click();
    await phone.page.getByRole("searchbox").click();
    await phone.page.keyboard.type("alemana");
    const row = phone.page.locator("cupo-movement-list .row");
    await expect.poll(async () => (await row.allInnerTexts()).join().replace(/\s+/g, " ")).toMatch(/^[^,]*1\.500/);
    expect([await row.count(), await row.innerText()]).toEqual([1, expect.stringContaining(OLD_PAYEE)]);
    expect(presses()).toBe(2);
  });

  it.each(["the summary", "Movimientos"])("two, over %s: this month's statement is on the phone", async (place) => {
    const phone = await fixture.phoneOf("payer");
    const { list, tabs } = phone.words;
    const presses = await countPresses(phone);
    await link(phone, place === "Movimientos" ? tabs.history : list.statements)
      .last()
      .click();
    const [download] = await Promise.all([phone.page.waitForEvent("download"), button(phone, /PDF/).click()]);
    expect(download.suggestedFilename()).toMatch(/\.pdf$/);
    expect(presses()).toBe(2);
  });

  it.each(["", ", and the finger"])("three%s: the shop refunds its last sale", async (finger) => {
    const { merchant } = fixture.product.demo.users;
    await pay(merchant.id, 31_000);
    const shop = await fixture.newPhone();
    if (finger === "") await shop.continueAs("merchant");
    else await enrol(fixture.product, shop, "merchant");
    await shop.open("/");
    const before = (await fixture.api.balances()).payer;
    const presses = await countPresses(shop);
    await shop.page.locator("cupo-shop-today a.row").first().click();
    await link(shop, receipts.receipt.refund).click();
    await shop.pay();
    await shop.page.locator(".receipt h1").waitFor();
    expect([presses(), (await fixture.api.balances()).payer - before]).toEqual([3, 31_000]);
  });

  it("three, and the digits: the till sells a top-up", async () => {
    const till = await fixture.newPhone();
    const presses = await countPresses(till);
    await till.open("/demo/till.html");
    const form = till.page.locator("recharge-form");
    await form.locator("[part~=field]:focus").waitFor();
    await till.page.keyboard.type("3001234567");
    await till.page.keyboard.press("Enter");
    await form.getByRole("button", { name: "10.000" }).click();
    await form.getByText("Revisa y confirma", { exact: true }).first().waitFor();
    // The element ignores a click that follows at once, so that a double click on the amount sells nothing.
    await till.page.waitForTimeout(500);
    await form.getByRole("button", { name: /^Vender/ }).click();
    await form.getByText("Recarga hecha", { exact: true }).waitFor();
    expect(presses()).toBe(3);
  });
});
