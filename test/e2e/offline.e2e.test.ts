import type { Page } from "playwright-core";
import { beforeAll, expect, it, vi } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { keptOnDevice } from "./support/kept-on-device.ts";
import { picture, WAIT_TIMEOUT_MS } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";
import type { MadeQr } from "./support/service-api.ts";

const AMOUNT = 1_000;
/** How long a cold start without a connection may take until the last known state is on the screen. */
const COLD_START_MS = 1_000;
const fixture = aBrowserFixture();
let ana: Phone;
let paid: MadeQr;

/** Runs in a page: sums up its layout shifts from now on, without those that follow an input. */
function watchShifts(): void {
  const shifts = { total: 0 };
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) shifts.total += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

function shiftsOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { shifts: { total: number } }).shifts.total);
}

/** Runs in a page: records every greeting of Home, in every frame that is drawn. */
function watchGreetings(): void {
  const greetings = new Set<string>();
  Object.assign(globalThis, { greetings });
  const look = (): void => {
    const home = document.querySelector("cupo-app")?.shadowRoot?.querySelector("cupo-home-page");
    greetings.add(home?.shadowRoot?.querySelector("h1")?.textContent ?? "");
    requestAnimationFrame(look);
  };
  look();
}

function greetingsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...(globalThis as unknown as { greetings: Set<string> }).greetings]);
}

async function pay(qr: MadeQr): Promise<void> {
  await ana.openCode(qr.payload);
  await ana.pay();
  await ana.receipt();
}

/** Pulls a page down by a touch, far enough to refresh it. */
async function pullDown(page: Page): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0));
  const tools = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...ys: readonly number[]) =>
    tools.send("Input.dispatchTouchEvent", { type, touchPoints: ys.map((y) => ({ x: 180, y })) });
  await touch("touchStart", 240);
  for (const y of [280, 320, 360]) await touch("touchMove", y);
  await touch("touchEnd");
  await tools.detach();
}

async function offline(isOffline: boolean): Promise<void> {
  await ana.context.setOffline(isOffline);
}

const rows = (page: Page) => page.locator("cupo-movement-list .row");

beforeAll(async () => {
  ana = await fixture.newPhone();
  ana.watch.allow(/net::ERR_INTERNET_DISCONNECTED/);
  await ana.context.addInitScript(watchShifts);
  await ana.continueAs("payer");
});

it("Home guides whoever has no movement yet, and then shows what was paid as of when it was confirmed", async () => {
  const { page, words } = ana;
  await page.getByRole("heading", { name: words.home.firstRun.title }).waitFor();
  await picture(page, "70-home-empty");
  paid = await fixture.api.makeQr({ amount: AMOUNT });
  await pay(paid);
  await pay(await fixture.api.makeQr({ amount: 2 * AMOUNT }));
  expect(await ana.available()).toBe("$ 497.000");
  await expect.poll(() => rows(page).count()).toBe(2);
  expect(await page.locator(".as-of").innerText()).toMatch(/^Actualizado hoy a las? \d{1,2}:\d\d\s[ap]\.\sm\.$/);
  // Home is opened again with nothing new to show.
  expect(await ana.available()).toBe("$ 497.000");
  await expect.poll(() => rows(page).count()).toBe(2);
  expect(await shiftsOf(page)).toBe(0);
  await picture(page, "71-home");
});

it("a cold start offline shows the last known state within a second, and nothing moves by itself", async () => {
  await ana.untilKept();
  await ana.movements("/history");
  await offline(true);
  const { page, words } = await ana.nextTab();
  const times: number[] = [];
  // Other work of the machine is in each time, so that the best of three counts.
  while (times.length < 3 && !times.some((ms) => ms < COLD_START_MS)) {
    const started = performance.now();
    await page.goto(`${fixture.product.origin}/`);
    await page.getByText("$ 497.000").waitFor();
    await rows(page).nth(1).waitFor();
    times.push(performance.now() - started);
  }
  const tookMs = Math.min(...times);
  console.info(`offline cold start: quota and last movements after ${tookMs.toFixed(0)} ms`);
  expect(tookMs).toBeLessThan(COLD_START_MS);
  await page.getByText(words.common.staleSince("hoy")).waitFor();
  expect(await shiftsOf(page)).toBe(0);
  await picture(page, "72-home-offline");
  await page.goto(`${fixture.product.origin}/history`);
  await rows(page).nth(1).waitFor();
  await page.getByText(words.common.staleSince("hoy")).waitFor();
  expect(await shiftsOf(page)).toBe(0);
  await page.close();
});

it("offline the history is browsed and searched, without accents, by name, reference and amount", async () => {
  const { page, words } = ana;
  await page.getByRole("link", { name: words.tabs.history }).click();
  await expect.poll(() => rows(page).count()).toBe(2);
  const search = page.getByRole("searchbox", { name: words.search.label });
  for (const [text, found] of [
    ["cafe candelaria", 2],
    ["$ 2.000", 1],
    [paid.reference.toLowerCase(), 1],
    ["nadie", 0],
  ] as const) {
    await search.fill(text);
    await expect.poll(() => rows(page).count(), { message: text }).toBe(found);
  }
  await picture(page, "73-history-nothing-fits");
  await page.getByRole("button", { name: words.search.clear }).click();
  await page.getByRole("button", { name: words.search.filters }).click();
  await page.getByLabel(words.search.kind).selectOption(words.list.kind.qr);
  await page.getByRole("radio", { name: words.list.receivedOnly }).check();
  await page.getByRole("heading", { name: words.search.noMatch.title }).waitFor();
  await picture(page, "74-history-filters");
});

it("a code scanned offline waits as a draft, and pays nothing by itself when the connection is back", async () => {
  const { page, words } = ana;
  const before = await fixture.api.balances();
  const qr = await fixture.api.makeQr({ amount: 3 * AMOUNT });
  await ana.open("/scan");
  await ana.type(qr.payload);
  await page.getByText(words.approval.savedOnHome).waitFor();
  await picture(page, "75-confirm-offline");
  await ana.open("/");
  const draft = page.getByRole("button", { name: words.drafts.confirm("Café La Candelaria") });
  await draft.waitFor();
  await picture(page, "76-home-draft");
  await offline(false);
  await page.locator(".quota[aria-busy=false]").waitFor();
  expect(await fixture.api.balances()).toEqual(before);
  expect(await draft.isVisible()).toBe(true);
  // Two tabs open the same draft: it is one attempt.
  const other = await ana.nextTab();
  await other.open("/");
  await other.page.getByRole("button", { name: words.drafts.confirm("Café La Candelaria") }).click();
  await draft.click();
  await Promise.all([ana.toConfirm(), other.toConfirm()]);
  await Promise.all([ana.payButton.click(), other.payButton.click()]);
  await ana.page.locator("cupo-confirm-page .receipt").waitFor();
  expect(await fixture.api.approvedOf(qr.reference)).toBe(1);
  expect((await fixture.api.balances()).payer).toBe(before.payer - 3 * AMOUNT);
  await ana.open("/");
  await expect.poll(() => rows(page).count()).toBe(3);
  await draft.waitFor({ state: "detached" });
  await other.page.close();
});

it("a refund changes the row that is known, once the page is pulled down", async () => {
  const { page } = ana;
  const { body } = await fixture.api.client.findTransactionByReference({ query: { reference: paid.reference } });
  await fixture.api.client.reverseTransaction({ body: { id: body.id } });
  await pullDown(page);
  await rows(page).filter({ hasText: ana.words.list.status.reversed }).locator(".struck").waitFor();
  await picture(page, "77-home-refunded");
});

it("after 30 days offline the history is hidden, whatever the clock says then, and comes back by itself", async () => {
  await ana.untilKept();
  await offline(true);
  const { page, words } = await ana.nextTab();
  const [soon, later] = [Date.now(), Date.now() + 31 * 86_400_000];
  for (const now of [later, soon]) {
    await page.clock.setFixedTime(now);
    for (const path of ["/", "/history"]) {
      await page.goto(`${fixture.product.origin}${path}`);
      await page.getByText(words.list.hidden.title).waitFor();
      expect(await rows(page).count()).toBe(0);
      await picture(page, `78-hidden${path.replace("/", "-")}`);
    }
  }
  await offline(false);
  await rows(page).nth(2).waitFor();
  await page.close();
});

it("a second person on the same device never sees the first, of whom nothing is left in any tab", async () => {
  const { page, words } = ana;
  const { merchant, payer } = fixture.product.demo.users;
  const second = await ana.nextTab();
  // The first tab may ask for what is Ana's with the session that the sign-in ended, or with the second person's.
  ana.watch.allow(/status of (?:401|409) .*\/v1\/me/);
  await second.page.addInitScript(watchGreetings);
  await second.signInBy(merchant.sign_in_url);
  const greeting = { name: words.home.greeting(merchant.name.split(" ")[0] ?? "") };
  await second.page.getByRole("heading", greeting).waitFor();
  expect(await greetingsOf(second.page)).not.toContain(words.home.greeting("Ana"));
  // The first person's tab now shows the second person.
  await page.getByRole("heading", greeting).waitFor();
  await vi.waitFor(async () => {
    const { indexedDb, localStorage, sessionStorage } = await keptOnDevice(second.page);
    // The second person's own movements name her as their other party, and nothing else does.
    const movements = indexedDb.replaceAll(`"counterparty_id":"${payer.id}"`, "");
    for (const kept of [movements, localStorage, sessionStorage]) {
      expect(kept).not.toContain(payer.id);
      expect(kept).not.toContain("497000");
    }
    expect(indexedDb).toContain(`cupo.${merchant.id}`);
  }, WAIT_TIMEOUT_MS);
  await second.page.close();
});
