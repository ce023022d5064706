import { askToSell } from "../asking-merchant.ts";
import { heading, type PageState, press } from "./visual-run.ts";

const SHOP = "Café La Candelaria";

/** Stations in which Ana allows and hides things and is without a connection; at last her phone is locked. */
export const endings: readonly PageState[] = [
  {
    page: "grant",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.open("/demo/customer.html");
      await ana.page.getByRole("link", { name: "Conectar mi cupo" }).click();
      await heading(ana, ana.words.grant.title(SHOP)).waitFor();
    },
  },
  {
    page: "grants",
    on: "ana",
    reach: async ({ ana }) => {
      await press(ana, ana.words.grant.allow);
      await ana.page.waitForFunction(() => document.querySelector("user-quota")?.matches(":state(shown)"));
      await ana.open("/grants");
      await ana.page.getByRole("button", { name: ana.words.account.grants.revoke }).waitFor();
    },
  },
  {
    page: "grants",
    state: "asking",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.page.getByRole("button", { name: ana.words.account.grants.revoke }).click();
      await ana.page.getByText(ana.words.account.grants.asking(SHOP).title).waitFor();
    },
  },
  {
    page: "grant",
    state: "unknown",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.open("/grant#merchant=nobody");
      await heading(ana, ana.words.grant.unknown.title).waitFor();
    },
  },
  {
    page: "profile",
    state: "selling",
    on: "ana",
    reach: async ({ ana, fixture }) => {
      const { product } = fixture;
      const { changeId, second } = await askToSell(product, product.demo.users.payer.id, "Caja Norte");
      await ana.open("/profile");
      await ana.page.locator("cupo-selling-section .note").waitFor();
      // Home must not show the request in the stations that follow.
      await second.post(`/v1/operator/merchant-changes/${changeId}/withdraw`);
    },
  },
  {
    page: "home",
    state: "offline",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.available();
      await ana.untilKept();
      await ana.context.setOffline(true);
      await ana.page.reload();
      await ana.page.locator("cupo-home-page .row").first().waitFor();
      await ana.page.locator("cupo-home-page .as-of.warn").waitFor();
    },
  },
  {
    page: "confirm",
    state: "offline",
    on: "ana",
    reach: async (tour) => {
      await tour.openQr(tour.ana, 9_800);
      await tour.ana.page.getByText(tour.ana.words.approval.savedOnHome).waitFor();
    },
  },
  {
    page: "home",
    state: "draft",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.context.setOffline(false);
      await ana.available();
      await ana.page.getByText(ana.words.drafts.title).waitFor();
      await press(ana, ana.words.home.hide);
      await ana.page.locator("cupo-home-page .row").first().waitFor();
    },
  },
  {
    page: "lock",
    on: "ana",
    reach: async (tour) => {
      await tour.leaveForAnHour();
      await tour.ana.page.reload();
      await heading(tour.ana, tour.ana.words.lock.title).waitFor();
    },
  },
  {
    page: "lock",
    state: "not-recognised",
    on: "ana",
    reach: async ({ ana, anasPasskeys }) => {
      await anasPasskeys.verifies(false);
      await press(ana, ana.words.lock.open);
      await ana.page.getByRole("alert").filter({ hasText: ana.words.passkey.cancelled.title }).waitFor();
    },
  },
];
