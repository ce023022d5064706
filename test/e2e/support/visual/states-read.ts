import { heading, type PageState, press } from "./visual-run.ts";

/** Runs in a page: makes what it keeps look as if the broker had confirmed it 31 days ago. */
async function confirmAMonthAgo(): Promise<void> {
  const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((done, failed) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
  const names = (await indexedDB.databases()).flatMap(({ name = "" }) => (name.startsWith("cupo.") ? [name] : []));
  for (const name of names) {
    const database = await answerOf(indexedDB.open(name));
    const facts = database.transaction("facts", "readwrite").objectStore("facts");
    const then = new Date(Date.now() - 31 * 86_400_000).toISOString();
    await Promise.all(["asOf", "seenAt"].map((fact) => answerOf(facts.put(then, fact))));
    database.close();
  }
}

/** Stations that show payments once there are some. */
export const readings: readonly PageState[] = [
  {
    page: "home",
    on: "ana",
    reach: async (tour) => {
      const { ana } = tour;
      await tour.pay();
      await ana.open("/");
      await ana.page
        .locator("cupo-home-page .row")
        .filter({ hasText: /6[.,]300/ })
        .waitFor();
      await ana.page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
    },
  },
  {
    page: "history",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.movements("/history");
    },
  },
  {
    page: "history",
    state: "nothing-fits",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.page.getByRole("searchbox", { name: ana.words.search.label }).fill("nadie");
      await press(ana, ana.words.search.filters);
      await heading(ana, ana.words.search.noMatch.title).waitFor();
    },
  },
  {
    page: "history",
    state: "hidden",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.untilKept();
      await ana.context.setOffline(true);
      await ana.page.evaluate(confirmAMonthAgo);
      await ana.open("/history");
      await ana.page.getByText(ana.words.list.hidden.title).waitFor();
    },
  },
  {
    page: "received",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.context.setOffline(false);
      await ana.movements("/received");
    },
  },
  {
    page: "receipt",
    on: "ana",
    reach: async (tour) => {
      const { ana } = tour;
      await ana.open(`/receipt#${tour.paymentId}`);
      await ana.page.locator("cupo-receipt-page svg[role=img]").waitFor();
      await ana.page.getByText(ana.words.receipts.receipt.state.partly).waitFor();
    },
  },
  {
    page: "receipt",
    state: "copied",
    on: "ana",
    reach: async (tour) => {
      const { ana } = tour;
      await press(ana, ana.words.common.share);
      await ana.page.getByRole("button", { name: ana.words.receipts.receipt.copied }).waitFor();
      const copied = await ana.page.evaluate(() => navigator.clipboard.readText());
      tour.receiptLink = copied.split("\n").at(1) ?? "";
    },
  },
  {
    page: "verify",
    state: "partly",
    on: "stranger",
    reach: async ({ stranger, receiptLink }) => {
      await stranger.open("/welcome");
      await stranger.page.goto(receiptLink);
      await heading(stranger, stranger.words.receipts.verify.genuine.partly.title).waitFor();
    },
  },
  {
    page: "summary",
    on: "ana",
    reach: async ({ ana }) => {
      await ana.open("/summary");
      await ana.page.locator("cupo-summary-page table").waitFor();
    },
  },
];
