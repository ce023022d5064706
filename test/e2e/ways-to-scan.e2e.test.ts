import { beforeAll, expect, it } from "vitest";
import { formatPaymentReference } from "../../src/payment-reference.ts";
import { qrSvg } from "../../src/qr-matrix.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { showToCamera } from "./support/camera.ts";
import { picture } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";

const SHOP = "Café La Candelaria";
const fixture = aBrowserFixture();
let ana: Phone;

beforeAll(async () => {
  ana = await fixture.phoneOf("payer", { permissions: ["clipboard-read", "clipboard-write"] });
});

/** Pays what Confirm shows, and checks that exactly this amount moved, once. */
async function payAndFindIt(amount: number, phone = ana): Promise<void> {
  const before = await fixture.api.balances();
  const { payee, reference } = await phone.toConfirm();
  expect(payee).toBe(SHOP);
  await phone.pay();
  await phone.receipt();
  expect(await fixture.api.balances()).toEqual({
    payer: before.payer - amount,
    merchant: before.merchant + amount,
  });
  expect(await fixture.api.approvedOf(reference)).toBe(1);
}

/** A picture of codes beside one another, as they stand on a counter: each a text and its width in pixels. */
async function counterWith(codes: readonly (readonly [string, number])[]): Promise<Buffer> {
  const page = await ana.context.newPage();
  try {
    const drawn = codes.map(([text, width]) =>
      qrSvg(text, { title: "" }).replace("<svg ", `<svg style="width:${width}px" `),
    );
    await page.setContent(`<div style="display:flex;width:fit-content;background:#fff">${drawn.join("")}</div>`);
    return await page.locator("div").screenshot();
  } finally {
    await page.close();
  }
}

it("a picture of the shop's QR pays the order, and the shop learns of it", async () => {
  const shop = await fixture.shop();
  await ana.openScan();
  await ana.chooseImage("image/png", await shop.page.screenshot());
  expect((await ana.toConfirm()).checkCode).toBe((await shop.shown()).checkCode);
  await payAndFindIt(25_000);
  await shop.untilPaid();
  await ana.openScan();
  await ana.chooseImage("image/png", await shop.page.screenshot());
  await ana.page.getByText(ana.words.scan.noCodeInImage).waitFor();
  await picture(ana.page, "20-no-code-in-image");
});

it.each(["image/png", "image/svg+xml"] as const)("the service's own %s pays", async (mediaType) => {
  const { reference, image } = await fixture.api.makeQrImage(mediaType, { amount: 1_234 });
  await ana.openScan();
  await ana.chooseImage(mediaType, image);
  expect((await ana.toConfirm()).reference).toBe(reference);
  await payAndFindIt(1_234);
});

it("the code's text, pasted, pays", async () => {
  const { payload } = await fixture.api.makeQr({ amount: 2_000.5 });
  await ana.openScan();
  await ana.paste(payload);
  expect((await ana.toConfirm()).amount).toBe("$ 2.000,50");
  await payAndFindIt(2_000.5);
});

it("the code's text goes into the field where the clipboard may not be read", async () => {
  const { payload } = await fixture.api.makeQr();
  const phone = await fixture.phoneOf("payer", { permissions: [] });
  await phone.openScan();
  await phone.page.getByRole("button", { name: phone.words.scan.paste }).click();
  await phone.page.getByText(phone.words.scan.pasteDenied).waitFor();
  await picture(phone.page, "21-paste-denied");
  await phone.page.getByLabel(phone.words.scan.typeLabel).fill(payload);
  await phone.page.keyboard.press("Enter");
  await payAndFindIt(1_000, phone);
});

it("the shop's app link pays, after signing in where nobody was", async () => {
  const shop = await fixture.shop();
  const phone = await fixture.newPhone();
  const link = (await shop.shown()).appLink;
  expect(link.startsWith(`${fixture.product.origin}/p#`)).toBe(true);
  await phone.page.goto(link);
  await phone.page.getByRole("button", { name: "Continuar como Ana (demo)" }).click();
  expect((await phone.toConfirm()).checkCode).toBe((await shop.shown()).checkCode);
  await payAndFindIt(25_000, phone);
  await shop.untilPaid();
});

it("the reference, typed as people write it, pays; a mistyped one is told as such", async () => {
  const { reference } = await fixture.api.makeQr();
  await ana.openScan();
  const typed = formatPaymentReference(reference).toLowerCase();
  await ana.type(typed.replace(/^./, (first) => (first === "7" ? "8" : "7")));
  await ana.isTold("mistyped_reference");
  await picture(ana.page, "22-mistyped");
  await ana.page.getByLabel(ana.words.scan.typeLabel).fill(typed);
  await ana.page.getByRole("button", { name: ana.words.scan.go }).click();
  await payAndFindIt(1_000);
});

it("a person's own QR without an amount is paid with a typed one, and says that it was", async () => {
  const merchant = await fixture.phoneOf("merchant");
  await merchant.open("/receive");
  const plate = merchant.page.locator("cupo-receive-page svg[role=img]");
  await plate.waitFor();
  await picture(merchant.page, "23-receive");
  await ana.openScan();
  await showToCamera(ana.page, await plate.screenshot());
  await ana.page.getByLabel(ana.words.confirm.askAmount).fill("3500");
  await picture(ana.page, "24-amount");
  await ana.page.getByRole("button", { name: ana.words.confirm.continue }).click();
  const before = await fixture.api.balances();
  await ana.payButton.click();
  await ana.receipt();
  expect(await fixture.api.balances()).toEqual({ payer: before.payer - 3_500, merchant: before.merchant + 3_500 });
  await merchant.page.getByRole("alert").filter({ hasText: merchant.words.receive.paidTitle }).waitFor();
  await picture(merchant.page, "25-receive-arrived");
});

const WIFI = "WIFI:T:WPA;S:Cafe La Candelaria;P:tinto1820;;";
const PAGE = "https://example.com/menu";

/** The text of a code and its width in pixels; without a text it is the payment code. */
type Printed = readonly [text: string | undefined, width: number];

const COUNTERS: readonly (readonly [place: string, left: Printed, right: Printed])[] = [
  ["before it", [WIFI, 200], [undefined, 500]],
  ["behind it", [undefined, 500], [PAGE, 200]],
  ["as large as it", [WIFI, 400], [undefined, 400]],
];

it.each(COUNTERS)(
  "a payment code is read though another stands %s, in a picture and by the camera",
  async (...given) => {
    const [, left, right] = given;
    const { payload, reference } = await fixture.api.makeQr();
    const counter = await counterWith([left, right].map(([text, width]) => [text ?? payload, width]));
    await ana.openScan();
    await ana.chooseImage("image/png", counter);
    expect((await ana.toConfirm()).reference).toBe(reference);
    await ana.openScan();
    await showToCamera(ana.page, counter);
    expect((await ana.toConfirm()).reference).toBe(reference);
  },
);

it("of two payment codes in view the person chooses one", async () => {
  const [first, second] = [await fixture.api.makeQr({ amount: 1_500 }), await fixture.api.makeQr({ amount: 2_500 })];
  await ana.openScan();
  await ana.chooseImage("image/png", await counterWith([first, second].map(({ payload }) => [payload, 420])));
  const choice = ana.page.getByRole("group", { name: ana.words.scan.several });
  await choice.waitFor();
  expect(await choice.getByRole("button").count()).toBe(2);
  await picture(ana.page, "26-two-codes");
  await choice.getByRole("button", { name: "2.500" }).click();
  expect((await ana.toConfirm()).reference).toBe(second.reference);
  await payAndFindIt(2_500);
});

it("of two payment codes before the camera, one of them in the finder, the person chooses one", async () => {
  const [first, second] = [await fixture.api.makeQr({ amount: 1_600 }), await fixture.api.makeQr({ amount: 2_600 })];
  await ana.openScan();
  const codes = [[WIFI, 420] as const, ...[first, second].map(({ payload }) => [payload, 420] as const)];
  await showToCamera(ana.page, await counterWith(codes), 1_100);
  const choice = ana.page.getByRole("group", { name: ana.words.scan.several });
  await choice.getByRole("button", { name: "1.600" }).click();
  expect((await ana.toConfirm()).reference).toBe(first.reference);
  await payAndFindIt(1_600);
});
