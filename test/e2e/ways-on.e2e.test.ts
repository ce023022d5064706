import { describe, expect, it } from "vitest";
import { words as approval } from "../../src/language/es/app/approval.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import type { Phone } from "./support/phone.ts";

const MORE_THAN_SHE_HAS = "600000";
const CONTINUE_AS_ANA = "Continuar como Ana (demo)";
const fixture = aBrowserFixture();

/** Blocks a script until the returned function is called; the browser's errors about it are expected. */
async function withhold(phone: Phone, script: RegExp): Promise<() => Promise<void>> {
  phone.watch.allow(/net::ERR_FAILED|dynamically imported module|the scan worker failed/);
  await phone.context.route(script, (route) => route.abort());
  return () => phone.context.unroute(script);
}

function button({ page }: Phone, name: string) {
  return page.getByRole("button", { name });
}

/** Goes to Confirm with an amount, for a code without one. */
async function offer(phone: Phone, amount: string): Promise<void> {
  await phone.page.locator("cupo-amount-field input").fill(amount);
  await button(phone, phone.words.confirm.continue).click();
}

describe("there is a way on", () => {
  it("from a page that could not be fetched", async () => {
    const ana = await fixture.phoneOf("payer");
    const give = await withhold(ana, /history-page/);
    await ana.page.getByRole("link", { name: ana.words.tabs.history }).click();
    await ana.page.getByRole("alert").filter({ hasText: ana.words.pageNotLoaded.title }).waitFor();
    await give();
    await button(ana, ana.words.common.retry).click();
    await ana.page.getByRole("heading", { level: 1, name: ana.words.list.history }).waitFor();
  });

  it("from a reader that could not be fetched: again, or by typing", async () => {
    const { reference } = await fixture.api.makeQr({ amount: 25_000 });
    const ana = await fixture.phoneOf("payer");
    const give = await withhold(ana, /jsqr/i);
    await ana.openScan();
    await ana.page.getByText(ana.words.scan.decoderNotLoaded.title).waitFor();
    await give();
    await button(ana, ana.words.common.retry).click();
    await ana.page.getByText(ana.words.scan.lead).waitFor();
    await ana.type(reference);
    expect((await ana.toConfirm()).reference).toBe(reference);
  });

  it("from an amount that is too large: one's own code, or another amount, and Pay is off", async () => {
    const { payload } = await fixture.api.makeQr({ amount: undefined });
    const ana = await fixture.phoneOf("payer");
    await ana.openCode(payload);
    await offer(ana, MORE_THAN_SHE_HAS);
    await ana.page.getByText("No te alcanza: te faltan $ 100.000.").waitFor();
    expect(await ana.page.locator("cupo-confirm-page .primary").allInnerTexts()).toEqual([approval.receive]);
    expect(await ana.page.locator("cupo-pay-button button:disabled").count()).toBe(1);
    await button(ana, ana.words.confirm.change).click();
    await offer(ana, "1000");
    await ana.payButton.waitFor();
  });

  it("from an amount that the service refuses, where the app had no figure of the balance", async () => {
    const { payload } = await fixture.api.makeQr({ amount: undefined });
    const ana = await fixture.phoneOf("payer");
    ana.watch.allow(/ERR_FAILED/);
    await ana.page.route("**/v1/me", (route) => route.abort());
    await ana.openCode(payload);
    await offer(ana, MORE_THAN_SHE_HAS);
    await ana.pay();
    await ana.page.getByRole("alert").filter({ hasText: ana.words.typing.insufficient_balance }).waitFor();
  });

  it("from a session that ended on Confirm: the same code, and the same approval", async () => {
    const qr = await fixture.api.makeQr({ amount: 1_000 });
    const ana = await fixture.phoneOf("payer");
    ana.watch.allow(/status of 401/);
    await ana.openScan();
    const { scan } = ana.words;
    await button(ana, scan.type).click();
    await ana.page.getByLabel(scan.typeLabel).fill(qr.payload);
    // Not before: the next look at what is new would lead to Welcome.
    await ana.context.clearCookies();
    await button(ana, scan.go).click();
    await button(ana, CONTINUE_AS_ANA).click();
    const before = await ana.toConfirm();
    await ana.context.clearCookies();
    await ana.pay();
    await button(ana, CONTINUE_AS_ANA).click();
    expect(await ana.toConfirm()).toEqual(before);
    await ana.pay();
    await ana.receipt();
    expect(await fixture.api.approvedOf(qr.reference)).toBe(1);
  });

  it("for an operator: out, or on as somebody else", async () => {
    const phone = await fixture.newPhone();
    phone.watch.allow(/status of 404 .*\/v1\/me\)$/);
    const { title, text } = phone.words.welcome.operator;
    const { sign_in_url } = fixture.product.demo.operator;
    await phone.page.goto(sign_in_url);
    await phone.page.getByRole("heading", { name: title }).waitFor();
    await phone.page.getByText(text).waitFor();
    await button(phone, phone.words.home.signOut).click();
    await phone.page.getByRole("heading", { name: phone.words.welcome.title }).waitFor();
    expect(await phone.context.cookies()).toEqual([]);
    await phone.page.goto(sign_in_url);
    await phone.page.getByRole("heading", { name: title }).waitFor();
    await button(phone, CONTINUE_AS_ANA).click();
    await phone.page.locator("cupo-home-page .quota .money").waitFor();
  });
});
