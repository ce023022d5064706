import { expect, it } from "vitest";
import { words as approval } from "../../src/language/es/app/approval.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";
import type { MadeQr } from "./support/service-api.ts";

const AMOUNT = 1_000;
const CONFIRM = "**/v1/approvals/*/confirm";
const fixture = aBrowserFixture();

/** Opens Confirm for a new QR on Ana's phone; `payer` is her balance before it. */
async function atConfirm(): Promise<{ readonly ana: Phone; readonly qr: MadeQr; readonly payer: number }> {
  const { payer } = await fixture.api.balances();
  const qr = await fixture.api.makeQr({ amount: AMOUNT });
  const ana = await fixture.phoneOf("payer");
  await ana.openCode(qr.payload);
  await ana.toConfirm();
  return { ana, qr, payer };
}

async function expectPaidOnce({ reference }: MadeQr, payerBefore: number): Promise<void> {
  expect((await fixture.api.balances()).payer).toBe(payerBefore - AMOUNT);
  expect(await fixture.api.approvedOf(reference)).toBe(1);
}

it("a double click on Pay pays once, and leads on to the receipt", async () => {
  const { ana, qr, payer } = await atConfirm();
  let confirmations = 0;
  ana.page.on("request", (request) => {
    if (request.url().endsWith("/confirm")) confirmations++;
  });
  await ana.payButton.dblclick();
  await ana.receipt();
  expect(confirmations).toBe(1);
  await expectPaidOnce(qr, payer);
  await ana.page.getByRole("link", { name: approval.seeReceipt }).click();
  await ana.page.locator("cupo-receipt-page .plate").waitFor();
});

/** Runs in a page: stretches timers of half a second, because a busy machine takes longer than that to press. */
function lengthenHalfSeconds(): void {
  const wait = globalThis.setTimeout;
  const slowly = (then: () => void, delayMs?: number): unknown => wait(then, delayMs === 500 ? 4_000 : delayMs);
  Object.assign(globalThis, { setTimeout: slowly });
}

it("a press in the button's first half second, and one by a script, pay nothing", async () => {
  const payer = (await fixture.api.balances()).payer;
  const qr = await fixture.api.makeQr({ amount: AMOUNT });
  const ana = await fixture.phoneOf("payer");
  await ana.page.addInitScript(lengthenHalfSeconds);
  await ana.openCode(qr.payload);
  const button = ana.page.locator("cupo-pay-button button:not([aria-busy])");
  await button.waitFor();
  await button.click({ force: true, noWaitAfter: true });
  await ana.payButton.waitFor();
  await button.evaluate((element) => (element as HTMLButtonElement).click());
  expect(await ana.payButton.isVisible()).toBe(true);
  expect((await fixture.api.balances()).payer).toBe(payer);
});

it("two tabs that confirm the same QR at once make one payment, and the other is told", async () => {
  const { ana, qr, payer } = await atConfirm();
  const other = await ana.nextTab();
  await other.openCode(qr.payload);
  await other.toConfirm();
  await Promise.all([ana.payButton.click(), other.payButton.click()]);
  const ends = [ana, other].map(({ page }) =>
    Promise.race([
      page
        .locator("cupo-confirm-page .receipt")
        .waitFor()
        .then(() => "paid"),
      page
        .getByRole("alert")
        .filter({ hasText: approval.paidByYou.title })
        .waitFor()
        .then(() => "told"),
    ]),
  );
  expect((await Promise.all(ends)).sort()).toEqual(["paid", "told"]);
  await expectPaidOnce(qr, payer);
});

it("an answer that was lost on the way is asked for, not paid for again", async () => {
  const { ana, qr, payer } = await atConfirm();
  ana.watch.allow(/net::ERR_FAILED .*\/confirm\)$/);
  await ana.page.route(CONFIRM, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await ana.pay();
  const { facts } = await ana.receipt();
  expect(facts.replaceAll("-", "")).toContain(qr.reference);
  await expectPaidOnce(qr, payer);
});

it("a session that ends while somebody approves is told of, and signing in leads back to the payment", async () => {
  const { ana, qr, payer } = await atConfirm();
  ana.watch.allow(/status of 401/);
  await ana.context.clearCookies();
  await ana.pay();
  await ana.page.getByText(ana.words.welcome.interrupted).waitFor();
  await ana.page.getByRole("button", { name: ana.words.welcome.continueAs("Ana") }).click();
  await ana.pay();
  await ana.receipt();
  await expectPaidOnce(qr, payer);
});

it("a reload while the payment is under way, and another on the receipt, show the receipt and pay once", async () => {
  const { ana, qr, payer } = await atConfirm();
  // The reloaded page would withdraw an approval whose confirmation had not arrived.
  const arrived = Promise.withResolvers<unknown>();
  await ana.page.route(CONFIRM, (route) => route.fetch().then(arrived.resolve, arrived.reject));
  await ana.pay();
  await arrived.promise;
  await ana.page.reload();
  const { facts } = await ana.receipt();
  await ana.page.reload();
  expect((await ana.receipt()).facts).toBe(facts);
  await expectPaidOnce(qr, payer);
});

it("offline when Pay is pressed: it is said, and back online it pays once", async () => {
  const { ana, qr, payer } = await atConfirm();
  ana.watch.allow(/net::ERR_INTERNET_DISCONNECTED/);
  await ana.context.setOffline(true);
  await ana.page.getByText(ana.words.common.offline).first().waitFor();
  await ana.pay();
  await ana.page.getByRole("paragraph").filter({ hasText: ana.words.confirm.askingText }).waitFor();
  await picture(ana.page, "40-offline-asking");
  expect((await fixture.api.balances()).payer).toBe(payer);
  await ana.context.setOffline(false);
  // The approval never arrived, so nothing was paid and the button is there again.
  await ana.pay();
  await ana.receipt();
  await expectPaidOnce(qr, payer);
});

it("offline before Confirm: the code is verified on the phone, and back online it is paid once", async () => {
  const payer = (await fixture.api.balances()).payer;
  const qr = await fixture.api.makeQr({ amount: AMOUNT });
  const ana = await fixture.phoneOf("payer");
  ana.watch.allow(/net::ERR_INTERNET_DISCONNECTED/);
  await ana.untilKept();
  await ana.openScan();
  await ana.context.setOffline(true);
  await ana.type(qr.payload);
  await ana.isTold("no_connection");
  await ana.page.getByText(ana.words.confirm.offlineKnown).waitFor();
  await picture(ana.page, "41-offline-code");
  await ana.context.setOffline(false);
  await ana.page.getByText(approval.online).first().waitFor();
  await ana.pay();
  await ana.receipt();
  await expectPaidOnce(qr, payer);
});
