import type { Request, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { words as approval } from "../../src/language/es/app/approval.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";
import type { MadeQr } from "./support/service-api.ts";

const AMOUNT = 1_000;
const CONFIRM = "**/v1/approvals/*/confirm";
const OUTCOME = /\/v1\/approvals\/[^/]+(?:\/withdraw)?$/;
const fixture = aBrowserFixture();

/** Opens Confirm for a new QR on Ana's phone; `payer` is her balance before it. */
async function atConfirm(): Promise<{ readonly ana: Phone; readonly qr: MadeQr; readonly payer: number }> {
  const { payer } = await fixture.api.balances();
  const qr = await fixture.api.makeQr({ amount: AMOUNT });
  const ana = await fixture.phoneOf("payer");
  ana.watch.allow(/net::ERR_(FAILED|TIMED_OUT)/);
  await ana.openCode(qr.payload);
  await ana.toConfirm();
  return { ana, qr, payer };
}

/** Holds the next confirmation, so that it times out for the page; the returned function delivers it. */
async function holdConfirmation({ context, page }: Phone): Promise<() => Promise<number>> {
  const held = Promise.withResolvers<Request>();
  await page.route(
    CONFIRM,
    async (route) => {
      held.resolve(route.request());
      await route.abort("timedout");
    },
    { times: 1 },
  );
  return async () => {
    const request = await held.promise;
    const headers = await request.allHeaders();
    const answer = await context.request.post(request.url(), { headers, data: request.postDataJSON() });
    return answer.status();
  };
}

/** Keeps the page from learning the outcome of an approval, until the returned function is called. */
async function keepSilent({ page }: Phone): Promise<() => Promise<void>> {
  const lose = (route: Route): Promise<void> => route.abort("timedout");
  await page.route(OUTCOME, lose);
  return () => page.unroute(OUTCOME, lose);
}

/** Runs in a page: collects every text of Confirm from now on that says that nothing was paid. */
function watchDenials(): void {
  const denials = new Set<string>();
  Object.assign(globalThis, { denials });
  const look = (): void => {
    const page = document.querySelector("cupo-app")?.shadowRoot?.querySelector("cupo-confirm-page");
    const text = page?.shadowRoot?.textContent ?? "";
    if (/No se pagó|no se movió nada/i.test(text)) denials.add(text.replace(/\s+/g, " "));
    requestAnimationFrame(look);
  };
  look();
}

async function denials({ page }: Phone): Promise<readonly string[]> {
  return page.evaluate(() => [...(globalThis as unknown as { denials: Set<string> }).denials]);
}

const asking = ({ page, words }: Phone): Promise<void> =>
  page.getByText(words.confirm.asking, { exact: true }).waitFor();

describe("an approval whose confirmation is late", () => {
  it("is withdrawn before it is said that nothing was moved, and pays nothing when it arrives", async () => {
    const { ana, qr, payer } = await atConfirm();
    const arrive = await holdConfirmation(ana);
    await ana.pay();
    await ana.page.getByText(approval.fault.not_sent).waitFor();
    await picture(ana.page, "42-not-arrived");
    expect(await arrive()).toBe(409);
    expect((await fixture.api.balances()).payer).toBe(payer);
    await ana.pay();
    await ana.receipt();
    expect((await fixture.api.balances()).payer).toBe(payer - AMOUNT);
    expect(await fixture.api.approvedOf(qr.reference)).toBe(1);
  });

  it("is not denied while it cannot be withdrawn, and Home leads to what became of it", async () => {
    const { ana, qr, payer } = await atConfirm();
    const arrive = await holdConfirmation(ana);
    await ana.page.evaluate(watchDenials);
    await keepSilent(ana);
    await ana.pay();
    await ana.page.getByText(ana.words.confirm.askingText, { exact: true }).waitFor();
    await ana.page.waitForTimeout(4_000);
    expect(await denials(ana)).toEqual([]);
    await ana.page.getByRole("button", { name: ana.words.common.close }).click();
    await ana.page.getByRole("button", { name: ana.words.unknownOutcome.see }).waitFor();
    expect(await arrive()).toBe(200);
    expect((await fixture.api.balances()).payer).toBe(payer - AMOUNT);
    await ana.page.getByRole("button", { name: ana.words.unknownOutcome.see }).click();
    // Not earlier: Home forgets a payment once it learns that it was made.
    await ana.page.unroute(OUTCOME);
    const { facts } = await ana.receipt();
    expect(facts.replaceAll("-", "")).toContain(qr.reference);
    expect(await fixture.api.approvedOf(qr.reference)).toBe(1);
  });

  it("is asked for when its time is over, and only the broker says that nothing was paid", async () => {
    const qr = await fixture.api.makeQr({ amount: AMOUNT });
    const ana = await fixture.phoneOf("payer");
    ana.watch.allow(/net::ERR_TIMED_OUT/);
    await ana.page.clock.install();
    await ana.openCode(qr.payload);
    await ana.toConfirm();
    await ana.page.evaluate(watchDenials);
    const speak = await keepSilent(ana);
    await ana.page.clock.fastForward(121_000);
    await asking(ana);
    await ana.page.clock.fastForward(5_000);
    expect(await denials(ana)).toEqual([]);
    await speak();
    await ana.page.clock.fastForward(10_000);
    await ana.page.clock.resume();
    const { title, text } = ana.words.failures.approval_expired;
    await ana.page.getByRole("alert").filter({ hasText: title }).filter({ hasText: text }).waitFor();
  });

  it("is not denied because somebody else is signed in by now", async () => {
    const { ana, qr } = await atConfirm();
    ana.watch.allow(/status of 40[14]/);
    await ana.page.evaluate(watchDenials);
    await ana.page.route(CONFIRM, async (route) => {
      await route.fetch();
      await route.abort();
    });
    const speak = await keepSilent(ana);
    await ana.pay();
    await asking(ana);
    // Only the approval shows this tab the other session: it leaves the page as soon as any other answer does.
    await ana.page.route(/\/v1\/me(?:\/events)?$/, (route) => route.abort("timedout"));
    const other = await ana.nextTab();
    await other.page.goto(fixture.product.demo.operator.sign_in_url);
    await other.page.getByRole("heading", { name: other.words.welcome.operator.title }).waitFor();
    const refused = ana.page.waitForResponse((answer) => OUTCOME.test(answer.url()) && answer.status() === 404);
    await speak();
    await refused;
    await ana.page.waitForTimeout(4_000);
    expect(await denials(ana)).toEqual([]);
    await asking(ana);
    expect(await fixture.api.approvedOf(qr.reference)).toBe(1);
  });
});

describe("a payment that nobody approved", () => {
  it("is its person's alone after they have signed out, and no alarm is raised for it", async () => {
    const { ana, payer } = await atConfirm();
    ana.watch.allow(/status of 401/);
    const { page, words } = ana;
    await ana.open("/profile");
    await page.getByRole("button", { name: words.home.signOut }).click();
    await page.getByRole("button", { name: words.welcome.continueAs("Ana") }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: words.welcome.continueAs("Ana") }).waitFor();
    expect(await page.getByText(words.welcome.interrupted).count()).toBe(0);
    await page.getByRole("button", { name: words.welcome.continueAs("Café La Candelaria") }).click();
    await page.locator("cupo-home-page .quota .money").waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    expect((await fixture.api.balances()).payer).toBe(payer);
  });

  it("raises no alarm in a tab that showed it when its person signs out in another", async () => {
    const { ana } = await atConfirm();
    ana.watch.allow(/status of 401/);
    const other = await ana.nextTab();
    await other.open("/profile");
    await other.page.getByRole("button", { name: ana.words.home.signOut }).click();
    for (const { page, words } of [ana, other]) {
      await page.getByRole("button", { name: words.welcome.continueAs("Ana") }).waitFor();
      expect(await page.getByText(words.welcome.interrupted).count()).toBe(0);
    }
  });

  it("is not opened for somebody else who signs in in another tab", async () => {
    const { ana } = await atConfirm();
    const other = await ana.nextTab();
    // Away from the app the tab hears nothing of the sign-in: by itself it would leave the page before it is opened.
    await ana.page.goto("about:blank");
    await other.signInBy(fixture.product.demo.users.merchant.sign_in_url);
    await ana.page.goBack();
    await ana.page.locator("cupo-home-page .quota .money").waitFor();
    expect(await ana.page.locator("cupo-confirm-page").count()).toBe(0);
  });
});
