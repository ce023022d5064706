import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { words } from "../../src/language/es/app/receipts.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";

const fixture = aBrowserFixture();
let luis: Phone;
let paymentId: string;
/** The link that Luis sends to somebody who asks for the receipt. */
let link = "";
let code = "";

beforeAll(async () => {
  const { merchant, payer } = fixture.product.demo.users;
  const body = { from_user_id: payer.id, to_user_id: merchant.id, amount: 25_000.5, details: { note: "Almuerzo" } };
  paymentId = (await fixture.api.client.createTransaction({ body }, { idempotencyKey: "receipts" })).body.id;
  luis = await fixture.phoneOf("merchant", { permissions: ["clipboard-read", "clipboard-write"] });
});

async function checked(phone: Phone): Promise<string> {
  const verdict = phone.page.locator("cupo-verify-page .verdict h1");
  await verdict.waitFor();
  return verdict.innerText();
}

describe("a receipt", () => {
  it("is opened from Received, printed on one page without its buttons, and handed on as a link", async () => {
    await luis.movements("/received");
    await luis.page.locator("cupo-movement-list .row").click();
    const receipt = luis.page.locator("cupo-receipt-page");
    await receipt.locator(".plate").waitFor();
    const text = (await receipt.locator(".who, .facts").allInnerTexts()).join("\n");
    for (const shown of ["De Ana Torres", "25.000,50", "Almuerzo", words.receipt.state.received]) {
      expect(text).toContain(shown);
    }
    await picture(luis.page, "receipt");
    const paper = (await luis.page.pdf({ format: "A4" })).toString("latin1");
    expect(paper.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
    await luis.page.emulateMedia({ media: "print" });
    expect(await receipt.locator(".acts").isVisible()).toBe(false);
    expect(await receipt.locator(".plate").isVisible()).toBe(true);
    await luis.page.emulateMedia({ media: null });
    await receipt.getByRole("button", { name: luis.words.common.share }).click();
    await receipt.getByText(words.receipt.copied).waitFor();
    const copied = await luis.page.evaluate(() => navigator.clipboard.readText());
    [, link = ""] = copied.split("\n");
    code = await receipt.locator(".code").innerText();
    expect(copied).toContain(code);
  });

  it("is checked by a stranger, who sees the same code, and is told when it was altered", async () => {
    const stranger = await fixture.newPhone();
    await stranger.page.goto(link);
    expect(await checked(stranger)).toBe(words.verify.genuine.stands.title);
    expect(await stranger.page.locator("cupo-verify-page .code").innerText()).toBe(code);
    const facts = await stranger.page.locator("cupo-verify-page .facts").innerText();
    expect(facts).toContain("Ana T.");
    expect(facts).not.toMatch(/Ana Torres|Almuerzo/);
    await picture(stranger.page, "checked");
    stranger.watch.allow(/status of 404/);
    const altered = link.endsWith("A") ? link.replace(/A$/, "Q") : link.replace(/.$/, "A");
    await stranger.page.goto("about:blank");
    await stranger.page.goto(altered);
    expect(await checked(stranger)).toBe(words.verify.forged.title);
  });

  it("says after a refund that part came back: here, offline too, and to whoever checks it", async () => {
    const body = { id: paymentId, amount: 5_000 };
    await fixture.api.client.reverseTransaction({ body }, { idempotencyKey: "receipts refund" });
    await luis.untilKept();
    await luis.open("/received");
    await luis.open(`/receipt#${paymentId}`);
    const state = luis.page.locator("cupo-receipt-page .state");
    await state.getByText(words.receipt.state.partly).waitFor();
    luis.watch.allow(/ERR_INTERNET_DISCONNECTED/);
    await luis.context.setOffline(true);
    await luis.page.reload();
    await state.getByText(words.receipt.state.partly).waitFor();
    expect(await luis.page.locator("cupo-receipt-page .code").innerText()).toBe(code);
    await luis.context.setOffline(false);
    const stranger = await fixture.newPhone();
    await stranger.page.goto(link);
    expect(await checked(stranger)).toBe(words.verify.genuine.partly.title);
  });
});

describe("the summary", () => {
  it("tells whom Ana paid how much, and downloads the month as PDF and CSV", async () => {
    const ana = await fixture.phoneOf("payer");
    await ana.open("/summary");
    const summary = ana.page.locator("cupo-summary-page");
    await summary.locator("table").waitFor();
    expect(await summary.locator("tbody tr").innerText()).toContain("20.000,50");
    expect(await summary.locator(".chart .figure").innerText()).toContain("20.000,50");
    await picture(ana.page, "summary");
    const begins = async (form: string): Promise<string> => {
      const [download] = await Promise.all([
        ana.page.waitForEvent("download"),
        summary.getByRole("button", { name: form }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(new RegExp(`^cupo-\\d{4}-\\d{2}\\.${form.toLowerCase()}$`));
      return (await readFile(await download.path())).toString("utf8").slice(0, 8);
    };
    expect(await begins("PDF")).toMatch(/^%PDF-1\./);
    await summary.getByText(words.statement.ready).waitFor();
    expect(await begins("CSV")).toBe("\ufeffDía,Hor");
  });

  it("has the months of the payments on the phone, without a connection too", async () => {
    const ana = await fixture.phoneOf("payer");
    ana.watch.allow(/ERR_INTERNET_DISCONNECTED/);
    await ana.untilKept();
    await ana.open("/history");
    await ana.page.locator("cupo-movement-list .row").first().waitFor();
    await ana.open("/summary");
    const summary = ana.page.locator("cupo-summary-page");
    await summary.locator("table").waitFor();
    await ana.context.setOffline(true);
    await ana.page.reload();
    await summary.locator(".month select").selectOption({ index: 1 });
    await expect.poll(() => summary.locator("tbody tr").allInnerTexts()).toHaveLength(1);
    expect(await summary.locator("tbody tr").innerText()).toContain("20.000,50");
    await picture(ana.page, "summary-month");
    await ana.context.setOffline(false);
  });
});
