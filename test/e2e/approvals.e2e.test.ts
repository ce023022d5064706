import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { words as approval } from "../../src/language/es/app/approval.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture } from "./support/open-browser.ts";
import { type Authenticator, enrol, setRules } from "./support/passkeys.ts";
import type { Phone } from "./support/phone.ts";

declare global {
  interface Window {
    readonly axe: { run(): Promise<AxeResults> };
  }
}

const fixture = aBrowserFixture();
/** Ana, on a phone that has her passkey. */
let ana: Phone;
let owner: Authenticator;
let shop: Phone;

beforeAll(async () => {
  ana = await fixture.newPhone();
  shop = await fixture.phoneOf("merchant");
  for (const { context } of [ana, shop]) await context.addInitScript(axe.source);
  owner = await enrol(fixture.product, ana, "payer");
});

/** Takes a picture of a state, and checks it with axe in light and in dark. */
async function looked({ page }: Phone, name: string): Promise<void> {
  await picture(page, name);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations, passes } = await page.evaluate(() => window.axe.run());
    expect(passes.length).toBeGreaterThan(5);
    expect(violations.map(({ id, nodes }) => `${name} ${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
}

const told = (page: Page, text: string): Promise<void> => page.getByRole("alert").filter({ hasText: text }).waitFor();

const press = ({ page }: Phone, name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();

async function done(phone: Phone, title: string): Promise<void> {
  await phone.page.locator(".receipt").getByRole("heading", { name: title }).waitFor();
}

async function limitPayments(page: Page, payment: number): Promise<void> {
  const status = await page.evaluate(async (limit) => {
    const headers = { "content-type": "application/json", "x-cupo-request": "1" };
    return (await fetch("/v1/me/limits", { method: "PUT", headers, body: JSON.stringify({ payment: limit }) })).status;
  }, payment);
  expect(status).toBe(200);
}

describe("a payment that a passkey approves", () => {
  it("is not made when the person is not recognised, and is when they are, once", async () => {
    const { payer } = await fixture.api.balances();
    const qr = await fixture.api.makeQr({ amount: 12_500 });
    await ana.openCode(qr.payload);
    await ana.toConfirm();
    await owner.verifies(false);
    await ana.pay();
    await told(ana.page, approval.fault.cancelled);
    await looked(ana, "approve-1-not-recognised");
    expect((await fixture.api.balances()).payer).toBe(payer);
    await owner.verifies(true);
    await ana.pay();
    expect((await ana.receipt()).title).toBe("Pagaste a Café La Candelaria");
    expect((await fixture.api.balances()).payer).toBe(payer - 12_500);

    // The same code, opened again, says that it was she who paid, and leads to the receipt.
    ana.watch.allow(/status of 409 .*\/v1\/approvals\)$/);
    await ana.openCode(qr.payload);
    await told(ana.page, approval.paidByYou.title);
    await looked(ana, "approve-2-paid-by-you");
    await ana.page.getByRole("link", { name: approval.seeReceipt }).click();
    await ana.page.locator("cupo-receipt-page").getByText(qr.reference.slice(0, 4)).first().waitFor();
  });

  it("of a code that somebody else paid is told as that", async () => {
    const { body: payee } = await fixture.api.client.createUser({
      body: { name: "Luz", nit: "900111", phone: "+573005550001" },
    });
    const qr = await fixture.api.makeQr({ to_user_id: payee.id });
    await shop.openCode(qr.payload);
    await shop.pay();
    await shop.receipt();
    ana.watch.allow(/status of 409 .*\/v1\/approvals\)$/);
    await ana.openCode(qr.payload);
    await told(ana.page, approval.paidByOther);
  });

  it("over a limit says which and how much is left, and leads to the limits", async () => {
    await setRules(fixture.product, "--payment-limit", "100000");
    await limitPayments(ana.page, 10_000);
    const qr = await fixture.api.makeQr({ amount: 10_001 });
    ana.watch.allow(/status of 409 .*\/v1\/approvals\)$/);
    await ana.openCode(qr.payload);
    await told(ana.page, approval.overLimit.personal_payment_limit("$\u00a010.000"));
    await picture(ana.page, "approve-3-over-limit");
    expect(await ana.page.getByRole("link", { name: approval.yourLimits }).getAttribute("href")).toBe(
      "/profile#limits",
    );
  });

  it("waits on a device that came by a re-enrolment, which says from when it may pay", async () => {
    const fresh = await fixture.newPhone();
    await fresh.context.addInitScript(axe.source);
    await enrol(fixture.product, fresh, "payer");
    const qr = await fixture.api.makeQr({ amount: 1_000 });
    await fresh.openCode(qr.payload);
    await fresh.page.getByText(approval.mayPayFrom("").slice(0, 30)).waitFor();
    await looked(fresh, "approve-4-new-device");
    expect(await fresh.page.locator("cupo-pay-button").count()).toBe(0);
  });
});

describe("a transfer", () => {
  it("goes to whoever was found by phone, by the name that is told, and is approved like a payment", async () => {
    const { transfer } = approval;
    const before = await fixture.api.balances();
    await ana.open("/transfer");
    ana.watch.allow(/status of 404 .*\/v1\/look-ups\)$/);
    const number = ana.page.getByLabel(transfer.phone).last();
    await number.fill("+573000000000");
    await press(ana, transfer.find);
    await told(ana.page, transfer.nobody.title);
    await picture(ana.page, "transfer-1-nobody");
    await number.fill("+573109876543");
    await press(ana, transfer.find);
    await ana.page.getByText("Café La Candelaria").waitFor();
    await ana.page.getByLabel(transfer.askAmount).fill("8000,5");
    await press(ana, ana.words.confirm.continue);
    await told(ana.page, transfer.wholeAmount);
    await ana.page.getByLabel(transfer.askAmount).fill("8000");
    await ana.page.getByLabel(transfer.note).fill("Almuerzo");
    await looked(ana, "transfer-2-amount");
    await press(ana, ana.words.confirm.continue);
    await ana.payButton.waitFor();
    await looked(ana, "transfer-3-approve");
    await ana.page.reload();
    await ana.pay();
    await done(ana, `${transfer.paidTo} Café La Candelaria`);
    await picture(ana.page, "transfer-4-receipt");
    const after = await fixture.api.balances();
    expect(before.payer - after.payer).toBe(8_000);
  });
});

describe("a refund", () => {
  it("offers all that is left of a received payment, and gives a part of it back where one likes", async () => {
    const { refund } = approval;
    const qr = await fixture.api.makeQr({ amount: 9_000 });
    await ana.openCode(qr.payload);
    await ana.pay();
    await ana.receipt();
    const { payer } = await fixture.api.balances();
    await shop.movements("/received");
    await shop.page.locator("cupo-movement-list .row").first().click();
    const link = shop.page.locator('a[href^="/refund#"]');
    const address = (await link.getAttribute("href")) ?? "";
    await link.click();
    await shop.page.getByRole("button", { name: refund.pay("$\u00a09.000") }).waitFor();
    await looked(shop, "refund-1-whole");
    await press(shop, shop.words.confirm.change);
    await shop.page.getByText(refund.left("$\u00a09.000")).waitFor();
    await looked(shop, "refund-2-amount");
    await shop.page.getByLabel(refund.askAmount).fill("2500");
    await press(shop, shop.words.confirm.continue);
    await shop.payButton.waitFor();
    await picture(shop.page, "refund-3-approve");
    await shop.pay();
    await done(shop, `${refund.paidTo} Ana Torres`);
    await picture(shop.page, "refund-4-receipt");
    expect((await fixture.api.balances()).payer).toBe(payer + 2_500);
    await shop.open("/");
    await shop.open(address);
    await shop.page.getByRole("button", { name: refund.pay("$\u00a06.500") }).waitFor();
    await press(shop, shop.words.confirm.change);
    await shop.page.getByText(refund.left("$\u00a06.500")).waitFor();
    await shop.page.getByLabel(refund.askAmount).fill("6501");
    await press(shop, shop.words.confirm.continue);
    await told(shop.page, refund.tooMuch);
  });
});
