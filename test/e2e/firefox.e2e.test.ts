import { firefox } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { words as account } from "../../src/language/en/app/account.ts";
import { findFirefox, WITHOUT_FIREFOX } from "../support/firefox.ts";
import { leaveRemark } from "../support/remarks.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { keptOnDevice } from "./support/kept-on-device.ts";
import { WAIT_TIMEOUT_MS } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";

const JOURNEYS = "Journeys in Firefox";
const SHOP = "Café La Candelaria";
const executablePath = findFirefox(JOURNEYS);
if (executablePath === undefined) leaveRemark("firefox", `${JOURNEYS}: ${WITHOUT_FIREFOX}.`);

/** Everything but passkeys, the fake camera and installing: only Chromium has tools for those. */
describe.skipIf(executablePath === undefined)("in Firefox", () => {
  const fixture = aBrowserFixture(() =>
    firefox.launch({ channel: "moz-firefox", executablePath: executablePath ?? "" }),
  );
  let ana: Phone;
  let ben: Phone;

  beforeAll(async () => {
    ana = await fixture.newPhone({ language: "en" });
    ben = await fixture.newPhone({ language: "en" });
  });

  const digits = (text: string): number => Number(text.replace(/\D/g, ""));

  /** Pays what Confirm shows by the demo's button, and checks that exactly this amount moved, once. */
  async function payAndFindIt(amount: number, reference: string): Promise<void> {
    const before = await fixture.api.balances();
    expect(await ana.toConfirm()).toMatchObject({ payee: SHOP, reference });
    await ana.pay();
    const { title, amount: paid } = await ana.receipt();
    expect([title, digits(paid)]).toEqual([`${ana.words.confirm.paidTo} ${SHOP}`, amount]);
    expect(await fixture.api.balances()).toEqual({ payer: before.payer - amount, merchant: before.merchant + amount });
    expect(await fixture.api.approvedOf(reference)).toBe(1);
  }

  it("the demo's people sign in, in English, and Home shows what they have", async () => {
    await Promise.all([ana.continueAs("payer"), ben.continueAs("merchant")]);
    const { payer, merchant } = await fixture.api.balances();
    expect([digits(await ana.available()), digits(await ben.available())]).toEqual([payer, merchant]);
    expect(await ana.page.locator("html").getAttribute("lang")).toBe("en");
  });

  it("a picture of a code pays", async () => {
    const { reference, image } = await fixture.api.makeQrImage("image/png", { amount: 1_234 });
    await ana.openScan();
    await ana.chooseImage("image/png", image);
    await payAndFindIt(1_234, reference);
  });

  it("a code's text, pasted, pays", async () => {
    const { reference, payload } = await fixture.api.makeQr({ amount: 2_000 });
    await ana.openScan();
    await ana.paste(payload);
    await payAndFindIt(2_000, reference);
  });

  it("the reference that Receive shows, typed, pays, and Receive says so", async () => {
    const { receive, common } = ben.words;
    await ben.open("/receive");
    await ben.page.getByRole("button", { name: receive.withAmount }).click();
    await ben.page.getByLabel(common.amount).fill("15000");
    await ben.page.getByRole("button", { name: receive.makeCode }).click();
    const reference = await ben.page.locator("cupo-receive-page .sheet .reference").innerText();
    await ana.openScan();
    await ana.type(reference.toLowerCase());
    await payAndFindIt(15_000, reference.replaceAll("-", ""));

    await ben.page.getByRole("alert").filter({ hasText: receive.paidTitle }).filter({ hasText: "15,000" }).waitFor();
  });

  it("offline the history that was kept is searched", async () => {
    const { page, words } = ana;
    expect(await ana.movements("/history")).toHaveLength(3);
    await ana.untilKept();
    await ana.context.setOffline(true);
    await page.reload();
    const rows = page.locator("cupo-movement-list .row");
    await expect.poll(() => rows.count()).toBe(3);
    const search = page.getByRole("searchbox", { name: words.search.label });
    for (const [text, found] of [
      ["cafe candelaria", 3],
      ["15000", 1],
      ["nobody", 0],
    ] as const) {
      await search.fill(text);
      await expect.poll(() => rows.count(), { message: text }).toBe(found);
    }
    await ana.context.setOffline(false);
  });

  it("signing out leaves nothing of the person", async () => {
    await ana.open("/profile");
    await ana.page.getByRole("heading", { name: account.devices.title }).waitFor();
    expect((await keptOnDevice(ana.page)).indexedDb).toContain(SHOP);
    await ana.page.getByRole("button", { name: ana.words.home.signOut }).click();
    await ana.page.getByRole("heading", { name: ana.words.welcome.title }).waitFor();
    await vi.waitFor(async () => {
      const { localStorage, sessionStorage, indexedDb, document } = await keptOnDevice(ana.page);
      expect([sessionStorage, indexedDb]).toEqual(["{}", "[]"]);
      expect(Object.keys(JSON.parse(localStorage) as object)).toEqual(["cupo.qr-keys"]);
      expect(document).not.toContain("Ana Torres");
    }, WAIT_TIMEOUT_MS);
    expect(await ana.context.cookies()).toEqual([]);
  });
});
