import type { Phone } from "../phone.ts";
import { heading, type PageState, press } from "./visual-run.ts";

/** The phone number of the demo's third person, besides Ana and the shop. */
const CARLOS = "+573109876543";

const told = ({ page }: Phone, text: string): Promise<void> =>
  page.getByRole("alert").filter({ hasText: text }).waitFor();

/** Stations in which Ana pays. */
export const payments: readonly PageState[] = [
  {
    page: "scan",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.openScan();
      await ana.page.getByText(ana.words.scan.lead).waitFor();
    },
  },
  {
    page: "scan",
    state: "mistyped",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.type("7K3M-9QXT-2V4F-X");
      await ana.isTold("mistyped_reference");
    },
  },
  {
    page: "confirm",
    state: "amount",
    on: "ana",
    reach: async (tour) => {
      await tour.openQr(tour.ana);
      await tour.ana.page.getByLabel(tour.ana.words.confirm.askAmount).fill("12500");
    },
  },
  {
    page: "confirm",
    on: "ana",
    reach: async ({ ana }) => {
      await press(ana, ana.words.confirm.continue);
      await ana.payButton.waitFor();
    },
  },
  {
    page: "confirm",
    state: "not-recognised",
    on: "ana",
    reach: async ({ ana, anasPasskeys }) => {
      await anasPasskeys.verifies(false);
      await ana.pay();
      await told(ana, ana.words.approval.fault.cancelled);
      await ana.payButton.waitFor();
      await anasPasskeys.verifies(true);
    },
  },
  {
    page: "confirm",
    state: "paid",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.pay();
      await ana.receipt();
    },
  },
  {
    page: "confirm",
    state: "unknown",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.openCode("https://example.com/menu");
      await ana.page.getByRole("alert").first().waitFor();
    },
  },
  {
    page: "transfer",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.open("/transfer");
      await ana.page.getByLabel(ana.words.approval.transfer.phone).last().fill(CARLOS);
    },
  },
  {
    page: "transfer",
    state: "amount",
    on: "ana",
    reach: async ({ ana }) => {
      await press(ana, ana.words.approval.transfer.find);
      await ana.page.getByLabel(ana.words.approval.transfer.askAmount).fill("8000");
      await ana.page.getByLabel(ana.words.approval.transfer.note).fill("Almuerzo");
    },
  },
  {
    page: "transfer",
    state: "approve",
    on: "ana",
    reach: async ({ ana }) => {
      await press(ana, ana.words.confirm.continue);
      await ana.payButton.waitFor();
    },
  },
  {
    page: "transfer",
    state: "paid",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.pay();
      await ana.page.locator(".receipt h1").waitFor();
    },
  },
  {
    page: "transfer",
    state: "recents",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.movements("/history");
      await ana.open("/transfer");
      await heading(ana, ana.words.approval.transfer.recents).waitFor();
    },
  },
  {
    page: "receipt",
    state: "nickname",
    on: "ana",
    reach: async (tour) => {
      const { ana } = tour;
      const { nickname } = ana.words.receipts;
      await ana.open(`/receipt#${tour.paymentId}`);
      await ana.page.getByText(nickname.add).click();
      await ana.page.getByLabel(nickname.label).fill("El café de la esquina");
      await press(ana, nickname.save);
      await ana.page.getByText(`${nickname.label}: El café de la esquina`).waitFor();
    },
  },
];

/** Stations of the demo's shop, whose phone has no camera: it shows a code, is paid and refunds. */
export const receipts: readonly PageState[] = [
  {
    page: "scan",
    state: "no-camera",
    on: "shop",
    reach: async (tour) => {
      const { shop } = tour;
      await shop.continueAs("merchant");
      await shop.openScan();
      await heading(shop, shop.words.scan.camera.missing.title).waitFor();
    },
  },
  {
    page: "home",
    state: "shop",
    on: "shop",
    reach: async ({ shop }) => {
      await shop.open("/");
      await shop.page.locator("cupo-shop-today").getByRole("link", { name: shop.words.shop.byDay }).waitFor();
      await shop.page.locator("cupo-shop-today .row").first().waitFor();
    },
  },
  {
    page: "profile",
    state: "demo",
    on: "shop",
    reach: async ({ shop }) => {
      await shop.open("/profile");
      await shop.page.locator("cupo-sessions-section li").first().waitFor();
    },
  },
  {
    page: "receive",
    on: "shop",
    reach: async ({ shop }) => {
      await shop.open("/receive");
      await shop.page.locator("cupo-receive-page svg[role=img]").waitFor();
    },
  },
  {
    page: "receive",
    state: "amount",
    on: "shop",
    reach: async ({ shop }) => {
      await press(shop, shop.words.receive.withAmount);
      await shop.page.getByLabel(shop.words.common.amount).fill("15000");
    },
  },
  {
    page: "receive",
    state: "code",
    on: "shop",
    reach: async (tour) => {
      const { page, words } = tour.shop;
      const made = page.waitForResponse(/\/v1\/me\/qr$/);
      await press(tour.shop, words.receive.makeCode);
      tour.payload = ((await (await made).json()) as { readonly payload: string }).payload;
      await page.locator("cupo-receive-page .reference").waitFor();
    },
  },
  {
    page: "receive",
    state: "paid",
    on: "shop",
    reach: async ({ ana, payload, shop }) => {
      await ana.openCode(payload);
      await ana.toConfirm();
      await ana.pay();
      await ana.receipt();
      await shop.page.locator("cupo-receive-page .arrived").filter({ hasText: "Ana Torres" }).waitFor();
    },
  },
  {
    page: "refund",
    on: "shop",
    reach: async ({ paymentId, shop }) => {
      await shop.movements("/received");
      await shop.open(`/refund#${paymentId}`);
      await press(shop, shop.words.confirm.change);
      await shop.page.getByLabel(shop.words.approval.refund.askAmount).fill("2500");
    },
  },
  {
    page: "refund",
    state: "approve",
    on: "shop",
    reach: async ({ shop }) => {
      await press(shop, shop.words.confirm.continue);
      await shop.payButton.waitFor();
    },
  },
  {
    page: "refund",
    state: "paid",
    on: "shop",
    reach: async ({ shop }) => {
      await shop.pay();
      await shop.page.locator(".receipt h1").waitFor();
    },
  },
];
