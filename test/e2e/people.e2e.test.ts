import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { words as approval } from "../../src/language/es/app/approval.ts";
import { words as receipts } from "../../src/language/es/app/receipts.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { countPresses } from "./support/count-presses.ts";
import { picture } from "./support/open-browser.ts";
import { enrol } from "./support/passkeys.ts";
import type { Phone } from "./support/phone.ts";

const [NAME, TOLD, NICKNAME, PHONE] = ["Luz Marina Peña", "Luz M. P.", "Vecina", "+573005550042"];
const AMOUNT = 8_000;
const { transfer } = approval;

const fixture = aBrowserFixture();
/** Ana, on a phone that has her passkey. */
let ana: Phone;
let luz: string;

beforeAll(async () => {
  ana = await fixture.newPhone({ viewport: { width: 390, height: 844 } });
  await enrol(fixture.product, ana, "payer");
  const body = { name: NAME, nit: "900555042", phone: PHONE, quota: 50_000 };
  luz = (await fixture.api.client.createUser({ body })).body.id;
});

const button = (name: string | RegExp): Locator => ana.page.getByRole("button", { name });
const link = (name: string): Locator => ana.page.getByRole("link", { name, exact: true });
const recent = (): Locator => ana.page.locator("cupo-transfer-page .recent");

async function transferred(): Promise<void> {
  await ana.page.locator(".receipt").getByRole("heading", { name: transfer.paidTo }).waitFor();
}

async function balance(): Promise<number> {
  return (await fixture.api.balances()).payer;
}

describe("a transfer", () => {
  it("begins in its field, and is to somebody by first name and initials", async () => {
    await ana.open("/");
    await link(ana.words.home.transfer).click();
    await ana.page.locator("cupo-transfer-page #number:focus").waitFor();
    await ana.page.keyboard.type(PHONE);
    await ana.page.keyboard.press("Enter");
    await ana.page.getByText(TOLD, { exact: true }).waitFor();
    await ana.page.getByLabel(transfer.askAmount).fill(String(AMOUNT));
    await button(ana.words.confirm.continue).click();
    await ana.pay();
    await transferred();
    expect(await ana.page.getByText(NAME).count()).toBe(0);
  });

  it("to somebody recent takes three taps and the finger", async () => {
    const before = await balance();
    await ana.open("/");
    const presses = await countPresses(ana);
    await link(ana.words.home.transfer).click();
    await recent().first().waitFor();
    await picture(ana.page, "people-1-recents");
    await recent().first().click();
    await ana.payButton.waitFor();
    await picture(ana.page, "people-2-again");
    await ana.pay();
    await transferred();
    expect([presses(), before - (await balance())]).toEqual([3, AMOUNT]);
  });

  it("is made again at once from the end of one", async () => {
    const before = await balance();
    await ana.page.locator(".receipt ~ .foot").getByRole("link", { name: transfer.recents }).click();
    await ana.payButton.waitFor();
    await ana.pay();
    await transferred();
    expect(before - (await balance())).toBe(AMOUNT);
  });

  it("is made again from its receipt, with another amount where one likes", async () => {
    const before = await balance();
    await link(approval.seeReceipt).click();
    await link(receipts.receipt.again).click();
    await ana.payButton.waitFor();
    await button(ana.words.confirm.change).click();
    const field = ana.page.getByLabel(transfer.askAmount);
    await expect.poll(() => field.inputValue()).toContain("8.000");
    await field.fill("2500");
    await button(ana.words.confirm.continue).click();
    await ana.pay();
    await transferred();
    expect(before - (await balance())).toBe(2_500);
  });
});

describe("a nickname", () => {
  it("is found by the search of the history, beside the name, and shown with it before paying", async () => {
    await link(approval.seeReceipt).click();
    await ana.page.getByText(receipts.nickname.add).click();
    await ana.page.getByLabel(receipts.nickname.label).fill(NICKNAME);
    await picture(ana.page, "people-3-nickname");
    await button(receipts.nickname.save).click();
    await ana.page.getByText(`${receipts.nickname.label}: ${NICKNAME}`).waitFor();
    await ana.open("/history");
    await ana.page.getByRole("searchbox").fill("vecina");
    const rows = ana.page.locator("cupo-movement-list .row .name");
    await expect.poll(() => rows.allInnerTexts()).toEqual(Array(4).fill(`${NICKNAME} ${TOLD}`));
    await picture(ana.page, "people-4-found");
    ana.watch.allow(/net::ERR_INTERNET_DISCONNECTED/);
    await ana.untilKept();
    await ana.context.setOffline(true);
    await ana.page.reload();
    await ana.page.getByRole("searchbox").fill("vecina");
    await expect.poll(() => rows.allInnerTexts()).toEqual(Array(4).fill(`${NICKNAME} ${TOLD}`));
    await ana.context.setOffline(false);
    await ana.open("/");
    const atHome = ana.page.locator("cupo-home-page cupo-movement-list .row .name");
    await expect.poll(() => atHome.allInnerTexts()).toContain(`${NICKNAME} ${TOLD}`);
    await ana.open("/transfer");
    await recent().filter({ hasText: NICKNAME }).click();
    await ana.payButton.waitFor();
    expect(await ana.page.locator("cupo-transfer-page .who").innerText()).toMatch(new RegExp(`${TOLD}\\s+${NICKNAME}`));
    await picture(ana.page, "people-5-both-names");
  });
});

describe("too little balance", () => {
  it("turns paying off, says what is missing, and leads to the person's own code", async () => {
    const { payer, merchant } = fixture.product.demo.users;
    const spent = { from_user_id: payer.id, to_user_id: merchant.id, amount: (await balance()) - 50_000 };
    await fixture.api.client.createTransaction({ body: spent });
    await ana.open("/");
    await link(ana.words.home.transfer).click();
    await recent().first().click();
    await button(ana.words.confirm.change).click();
    await ana.page.getByLabel(transfer.askAmount).fill("85000");
    await button(ana.words.confirm.continue).click();
    await ana.page.getByText(approval.short("$\u00a035.000")).waitFor();
    expect(await ana.page.locator("cupo-pay-button button:disabled").count()).toBe(1);
    await picture(ana.page, "people-6-too-little");
    await link(approval.receive).click();
    await ana.page.locator("cupo-receive-page").waitFor();
  });
});

describe("somebody who has paid", () => {
  it("is named in full from then on, in what was sent before too", async () => {
    const { payer } = fixture.product.demo.users;
    const body = { from_user_id: luz, to_user_id: payer.id, amount: 1_200 };
    await fixture.api.client.createLedgerTransaction({ body });
    await ana.open("/history");
    const rows = ana.page.locator("cupo-movement-list .row .name").filter({ hasText: NICKNAME });
    await expect.poll(() => rows.allInnerTexts()).toEqual(Array(5).fill(`${NICKNAME} ${NAME}`));
    await ana.open("/");
    const atHome = ana.page.locator("cupo-home-page cupo-movement-list .row .name").filter({ hasText: NICKNAME });
    await expect.poll(async () => new Set(await atHome.allInnerTexts())).toEqual(new Set([`${NICKNAME} ${NAME}`]));
  });
});
