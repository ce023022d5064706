import { invite } from "../passkeys.ts";
import { heading, type PageState, press } from "./visual-run.ts";

const NO_SECRET = `en_${"A".repeat(43)}`;

/** Stations of a person who is not signed in. */
export const strangers: readonly PageState[] = [
  {
    page: "welcome",
    on: "stranger",
    reach: async ({ stranger }) => {
      await stranger.open("/");
      await stranger.page.getByRole("button", { name: stranger.words.welcome.continueAs("Ana") }).waitFor();
    },
  },
  {
    page: "welcome",
    state: "lost",
    on: "stranger",
    reach: async ({ stranger }) => {
      const { lost } = stranger.words.welcome;
      await stranger.page.getByText(lost.title, { exact: true }).click();
      await stranger.page.getByText(lost.after).waitFor();
    },
  },
  {
    page: "welcome",
    state: "keeps-nothing",
    on: "stranger",
    reach: async ({ stranger: { page, words } }) => {
      // The sign-in goes well and brings no cookie, as where the browser drops it.
      await page.route("**/v1/demo/sign-in", (route) => route.fulfill({ json: { signed_in: true } }));
      await page.getByRole("button", { name: words.welcome.continueAs("Ana") }).click();
      await page.getByText(words.welcome.notKept.title).waitFor();
      await page.unroute("**/v1/demo/sign-in");
    },
  },
  {
    page: "lost",
    on: "stranger",
    reach: async ({ stranger }) => {
      await stranger.open("/nowhere");
      await stranger.page.locator("cupo-not-found-page h1").waitFor();
    },
  },
  {
    page: "enrol",
    state: "missing",
    on: "stranger",
    reach: async ({ stranger }) => {
      await stranger.open("/enrol");
      await heading(stranger, stranger.words.account.enrol.missing.title).waitFor();
    },
  },
  {
    page: "enrol",
    state: "over",
    on: "stranger",
    reach: async ({ stranger }) => {
      await stranger.open(`/enrol#${NO_SECRET}`);
      await heading(stranger, stranger.words.account.enrol.over.title).waitFor();
    },
  },
  {
    page: "verify",
    state: "forged",
    on: "stranger",
    reach: async ({ stranger }) => {
      await stranger.open("/v#nothing-of-ours");
      await heading(stranger, stranger.words.receipts.verify.forged.title).waitFor();
    },
  },
];

/** Stations in which Ana gets her passkey. */
export const enrolments: readonly PageState[] = [
  {
    page: "enrol",
    on: "ana",
    reach: async ({ ana, fixture }) => {
      const { link, code } = await invite(fixture.product, fixture.product.demo.users.payer.id);
      await ana.page.goto(link);
      await heading(ana, ana.words.account.enrol.hello("Ana")).waitFor();
      // Kept for the next station, where the page itself has forgotten it.
      await ana.page.evaluate((kept) => Object.assign(globalThis, { kept }), code);
    },
  },
  {
    page: "enrol",
    state: "done",
    on: "ana",
    reach: async ({ ana }) => {
      const code = await ana.page.evaluate(() => (globalThis as unknown as { kept: string }).kept);
      await ana.page.locator("cupo-enrol-page input[name=code]").fill(code);
      await press(ana, ana.words.account.enrol.make);
      await heading(ana, ana.words.account.enrol.done("Ana")).waitFor();
    },
  },
  {
    page: "enrol",
    state: "guide",
    on: "ana",
    reach: async ({ ana }) => {
      await press(ana, ana.words.account.enrol.next);
      await heading(ana, ana.words.account.enrol.guideTitle).waitFor();
    },
  },
];

/** Stations of Ana before there is any payment. */
export const beginnings: readonly PageState[] = [
  {
    page: "home",
    state: "first",
    on: "ana",
    reach: async ({ ana }) => {
      await press(ana, ana.words.account.enrol.start);
      await heading(ana, ana.words.home.firstRun.title).waitFor();
    },
  },
  {
    page: "history",
    state: "empty",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.open("/history");
      await heading(ana, ana.words.list.emptyHistory.title).waitFor();
    },
  },
  {
    page: "received",
    state: "empty",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.open("/received");
      await heading(ana, ana.words.list.emptyReceived.title).waitFor();
    },
  },
  {
    page: "grants",
    state: "empty",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.open("/grants");
      await heading(ana, ana.words.account.grants.none.title).waitFor();
    },
  },
  {
    page: "summary",
    state: "empty",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.open("/summary");
      await ana.page.getByText(ana.words.receipts.summary.empty.title).waitFor();
    },
  },
  {
    page: "profile",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.open("/profile");
      for (const part of ["devices", "sessions"]) await ana.page.locator(`cupo-${part}-section li`).first().waitFor();
      await ana.page.locator("cupo-limits-section").getByText(ana.words.account.limits.payment).first().waitFor();
      await ana.page.locator("cupo-changes-section li").first().waitFor();
    },
  },
  {
    page: "profile",
    state: "freeze",
    on: "ana",
    reach: async ({ ana }) => {
      await press(ana, ana.words.account.freeze.ask);
      await ana.page.getByText(ana.words.account.freeze.asking.title).waitFor();
    },
  },
  {
    page: "profile",
    state: "invitation",
    on: "ana",
    reach: async ({ ana }) => {
      await press(ana, ana.words.account.devices.cancel);
      await press(ana, ana.words.account.devices.invite);
      await ana.page.locator("cupo-device-invitation .digits").waitFor();
      await ana.page.locator("cupo-device-invitation svg[role=img]").waitFor();
    },
  },
];
