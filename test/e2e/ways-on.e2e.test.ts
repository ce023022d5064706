import { describe, expect, it } from "vitest";
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

/** Goes to Confirm with more than the available quota, for a code without an amount. */
async function offerTooMuch(phone: Phone): Promise<void> {
  await phone.page.locator("cupo-amount-field input").fill(MORE_THAN_SHE_HAS);
  await button(phone, phone.words.confirm.continue).click();
  await phone.page.getByText("No te alcanza: tu cupo disponible es $ 500.000.").waitFor();
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

  it("from an amount that is too large: another amount first, and Pay stays possible", async () => {
    const { payload } = await fixture.api.makeQr({ amount: undefined });
    const ana = await fixture.phoneOf("payer");
    await ana.openCode(payload);
    await offerTooMuch(ana);
    expect(await ana.page.locator("cupo-confirm-page .primary").allInnerTexts()).toEqual([ana.words.confirm.change]);
    await button(ana, ana.words.confirm.change).click();
    await offerTooMuch(ana);
    await ana.pay();
    await ana.page.getByRole("alert").filter({ hasText: ana.words.typing.insufficient_balance }).waitFor();
  });

  it("from a session that ended on Confirm: the same code, and the same approval", async () => {
    const qr = await fixture.api.makeQr({ amount: 1_000 });
    const ana = await fixture.phoneOf("payer");
    ana.watch.allow(/status of 401/);
    await ana.openScan();
    await ana.context.clearCookies();
    await ana.type(qr.payload);
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
