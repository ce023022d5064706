import axe, { type AxeResults } from "axe-core";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { words as account } from "../../src/language/es/app/account.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { keptOnDevice } from "./support/kept-on-device.ts";
import { picture, WAIT_TIMEOUT_MS } from "./support/open-browser.ts";
import { type Authenticator, addAuthenticator, enrol, giveCode, invite, setRules, takeUp } from "./support/passkeys.ts";
import type { Phone } from "./support/phone.ts";
import { pagesShown, watchPages } from "./support/watch-pages.ts";

declare global {
  interface Window {
    readonly axe: { run(): Promise<AxeResults> };
  }
}

const fixture = aBrowserFixture();
let ana: Phone;
let anasPhone: Authenticator;
/** Ana's other device. */
let tablet: Phone;

beforeAll(async () => {
  ana = await fixture.newPhone();
  anasPhone = await addAuthenticator(ana.page);
  tablet = await fixture.newPhone();
  await addAuthenticator(tablet.page);
  for (const { context, watch } of [ana, tablet]) {
    await context.addInitScript(axe.source);
    // The browser logs the refusals that the tests are about.
    watch.allow(/status of (?:403|404) .*\/v1\/enrolments\/(?:look|start)\)$/, /status of 401 .*\/v1\//);
  }
});

const heading = ({ page }: Phone, name: string): Locator => page.getByRole("heading", { name, exact: true });
const button = ({ page }: Phone, name: string): Locator => page.getByRole("button", { name, exact: true });

/** Takes a picture of a state in both themes, and checks it with axe in both. */
async function looked({ page }: Phone, name: string): Promise<void> {
  await picture(page, name);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations, passes } = await page.evaluate(() => window.axe.run());
    expect(passes.length).toBeGreaterThan(5);
    expect(violations.map(({ id, nodes }) => `${name} ${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

async function openProfile(phone: Phone): Promise<void> {
  await phone.open("/profile");
  await phone.page.locator("cupo-devices-section .rows li").first().waitFor();
}

const section = ({ page }: Phone, name: "devices" | "sessions" | "limits"): Locator =>
  page.locator(`cupo-${name}-section`);

const atHome = (phone: Phone): Promise<void> => phone.page.locator("cupo-home-page .quota .money").waitFor();

/** Makes the last touch of the phone an hour old. */
async function leaveForAnHour(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem("cupo.seen", String(Date.now() - 3_600_000)));
}

describe("an invitation", () => {
  it("makes a passkey with its link and the code, and its secret stays nowhere", async () => {
    const { code, link } = await invite(fixture.product, fixture.product.demo.users.payer.id);
    await takeUp(ana, { link, code: code === "000000" ? "111111" : "000000" });
    await ana.page.getByText(account.enrol.wrong(4)).waitFor();
    expect(ana.page.url()).toBe(`${fixture.product.origin}/enrol`);
    await picture(ana.page, "enrol-wrong-code");
    await giveCode(ana, code);
    await heading(ana, account.enrol.done("Ana")).waitFor();
    await looked(ana, "enrol-done");
    const lock = ana.page.getByRole("radio", { name: account.settings.lockAfter[5], exact: true });
    expect(await lock.isChecked()).toBe(true);
    await button(ana, account.enrol.next).click();
    await heading(ana, account.enrol.guideTitle).waitFor();
    await looked(ana, "enrol-guide");
    await button(ana, account.enrol.start).click();
    await atHome(ana);
    expect(JSON.stringify(await keptOnDevice(ana.page))).not.toContain(link.split("#")[1]);
  });

  it("is over once it was used, and is asked for again when the page is loaded anew", async () => {
    const { link, code } = await invite(fixture.product, fixture.product.demo.users.merchant.id);
    await takeUp(tablet, { link, code });
    await heading(tablet, account.enrol.done("Café")).waitFor();
    await tablet.page.goto(link);
    await heading(tablet, account.enrol.over.title).waitFor();
    await picture(tablet.page, "enrol-over");
    await tablet.page.reload();
    await heading(tablet, account.enrol.missing.title).waitFor();
    await tablet.open("/profile");
    await button(tablet, tablet.words.home.signOut).click();
    await heading(tablet, tablet.words.welcome.title).waitFor();
  });

  it("stays good when the person makes no passkey after all, and is none of an operator's browser", async () => {
    const phone = await fixture.newPhone();
    phone.watch.allow(/status of 403 .*\/v1\/enrolments\/start\)$/, /status of 404 .*\/v1\/me\)$/);
    const stranger = await addAuthenticator(phone.page, { userVerified: false });
    const invitation = await invite(fixture.product, fixture.product.demo.users.merchant.id);
    await takeUp(phone, invitation);
    await phone.page.getByRole("alert").filter({ hasText: account.enrol.stillGood }).waitFor();
    await stranger.verifies(true);
    await phone.page.goto(fixture.product.demo.operator.sign_in_url);
    await heading(phone, phone.words.welcome.operator.title).waitFor();
    await takeUp(phone, invitation);
    await heading(phone, account.enrol.notHere.title).waitFor();
    await button(phone, phone.words.home.signOut).click();
    await heading(phone, account.enrol.hello("Café")).waitFor();
  });
});

describe("a passkey", () => {
  it("signs in without a name, after signing out has left nothing of the person", async () => {
    await openProfile(ana);
    await picture(ana.page, "profile");
    await button(ana, ana.words.home.signOut).click();
    await heading(ana, ana.words.welcome.title).waitFor();
    expect(Object.keys(JSON.parse((await keptOnDevice(ana.page)).localStorage) as object)).toEqual(["cupo.qr-keys"]);
    await picture(ana.page, "welcome");
    await button(ana, ana.words.welcome.signIn).click();
    await atHome(ana);
  });

  it("is missed with a way on, and signs in wherever it has been carried to", async () => {
    const phone = await fixture.newPhone();
    const empty = await addAuthenticator(phone.page);
    await phone.open("/");
    await button(phone, phone.words.welcome.signIn).click();
    await phone.page.getByRole("alert").filter({ hasText: phone.words.passkey.cancelled.title }).waitFor();
    await anasPhone.moveTo(empty);
    await button(phone, phone.words.welcome.signIn).click();
    await atHome(phone);
    await empty.moveTo(anasPhone);
  });

  it("invites another device, which pays at once and is there on both", async () => {
    await openProfile(ana);
    await button(ana, account.devices.invite).click();
    const shown = ana.page.locator("cupo-device-invitation");
    const code = await shown.locator(".digits").innerText();
    await looked(ana, "profile-invitation");
    await ana.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await button(ana, account.devices.copy).click();
    const link = await ana.page.evaluate(() => navigator.clipboard.readText());
    await takeUp(tablet, { link, code });
    await heading(tablet, account.enrol.done("Ana")).waitFor();
    expect(await tablet.page.getByText(account.enrol.payFrom("").slice(0, 12)).count()).toBe(0);
    await shown.waitFor({ state: "detached" });
    await section(ana, "devices").locator("li").nth(1).waitFor();
  });
});

describe("a session", () => {
  it("is ended from another device, and shows nothing any more", async () => {
    await tablet.open("/profile");
    await section(tablet, "sessions").locator("li").nth(1).waitFor();
    await openProfile(ana);
    const others = section(ana, "sessions").getByRole("button", { name: new RegExp(`^${account.sessions.end}:`) });
    await others.first().waitFor();
    while ((await others.count()) > 0) {
      const last = others.nth((await others.count()) - 1);
      await last.click();
      await last.waitFor({ state: "detached" });
    }
    await tablet.open("/");
    await heading(tablet, tablet.words.welcome.title).waitFor();
    expect(JSON.stringify(await keptOnDevice(tablet.page))).not.toContain("Ana Torres");
  });
});

describe("the lock", () => {
  it("shows nothing once the time has passed, not even at the start, and opens with the passkey", async () => {
    await ana.open("/");
    await atHome(ana);
    const next = await ana.nextTab();
    await next.open("/history");
    // Once it is there, it has recorded its opening as activity of the person.
    await heading(next, next.words.list.history).waitFor();
    await leaveForAnHour(ana.page);
    await ana.page.addInitScript(watchPages);
    await ana.page.reload();
    for (const tab of [ana, next]) await heading(tab, ana.words.lock.title).waitFor();
    expect((await keptOnDevice(ana.page)).document).not.toMatch(/Ana|500\.000/);
    await looked(ana, "locked");
    expect(await pagesShown(ana.page)).toEqual(["cupo-lock-page"]);
    await anasPhone.verifies(false);
    await button(ana, ana.words.lock.open).click();
    await ana.page.getByRole("alert").filter({ hasText: ana.words.passkey.cancelled.title }).waitFor();
    await anasPhone.verifies(true);
    ana.watch.allow(/ERR_INTERNET_DISCONNECTED/);
    await ana.context.setOffline(true);
    await button(ana, ana.words.lock.open).click();
    await heading(ana, "Hola, Ana").waitFor();
    // This shows that `watchPages` does see the pages.
    await vi.waitFor(async () => expect(await pagesShown(ana.page)).toContain("cupo-home-page"), WAIT_TIMEOUT_MS);
    await heading(next, ana.words.list.history).waitFor();
    await ana.context.setOffline(false);
    await next.page.close();
  });

  it("stays shut at the address that tells of a sign-in, which anybody can write", async () => {
    await ana.open("/profile");
    await heading(ana, "Ana Torres").waitFor();
    await leaveForAnHour(ana.page);
    await ana.open("/#signed-in");
    await heading(ana, ana.words.lock.title).waitFor();
    expect((await keptOnDevice(ana.page)).document).not.toMatch(/Ana|500\.000/);
    await button(ana, ana.words.lock.open).click();
    await atHome(ana);
  });

  it("waits while the person shows a code, and is not put off by a touch once the time has passed", async () => {
    await ana.open("/receive");
    await ana.page.locator("cupo-receive-page svg[role=img]").waitFor();
    await ana.page.evaluate(() => localStorage.setItem("cupo.seen", String(Date.now() - 290_000)));
    await vi.waitFor(async () => {
      const seen = await ana.page.evaluate(() => Date.now() - Number(localStorage.getItem("cupo.seen")));
      expect(seen).toBeLessThan(10_000);
    }, WAIT_TIMEOUT_MS);
    await openProfile(ana);
    await leaveForAnHour(ana.page);
    await ana.page.mouse.click(180, 20);
    await button(ana, ana.words.lock.open).click();
    await heading(ana, "Ana Torres").waitFor();
  });
});

describe("the profile", () => {
  it("keeps the theme and the language of this device", async () => {
    await ana.page.emulateMedia({ colorScheme: "light" });
    await ana.page.getByRole("radio", { name: account.settings.themes.dark }).check();
    const ground = () => ana.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(await ground()).toBe("rgb(14, 21, 19)");
    await ana.page.reload({ waitUntil: "commit" });
    await ana.page.waitForFunction(() => document.body !== null);
    expect(await ground()).toBe("rgb(14, 21, 19)");
    await ana.page.getByRole("radio", { name: "English" }).click();
    await heading(ana, "Your devices").waitFor();
    expect(await ana.page.locator("html").getAttribute("lang")).toBe("en");
    await ana.page.getByRole("radio", { name: "Español" }).click();
    await heading(ana, account.devices.title).waitFor();
  });

  it("lowers a limit at once, and raises it with the passkey alone", async () => {
    await setRules(fixture.product, "--payment-limit", "50000");
    const limits = section(ana, "limits");
    const change = async (amount: string): Promise<void> => {
      await limits.getByRole("button", { name: account.limits.change(account.limits.payment) }).click();
      await limits.getByLabel(account.limits.own).fill(amount);
      await limits.getByRole("button", { name: account.limits.save }).click();
    };
    await anasPhone.verifies(false);
    await change("5000");
    await limits.getByText("Hasta $\u00a05.000").waitFor();
    await change("6000");
    await limits.getByRole("alert").filter({ hasText: ana.words.passkey.cancelled.title }).waitFor();
    await anasPhone.verifies(true);
    await limits.getByRole("button", { name: account.limits.save }).click();
    await limits.getByText("Hasta $\u00a06.000").waitFor();
  });

  it("tells of a device that an operator enrolled anew, which does not pay yet and can be refused", async () => {
    const thief = await fixture.newPhone();
    thief.watch.allow(/status of 40[13] .*\/v1\//);
    await enrol(fixture.product, thief, "payer");
    await openProfile(ana);
    const devices = section(ana, "devices");
    await devices.getByText(account.devices.isNew.title).waitFor();
    await picture(ana.page, "profile-new-device");
    const refuse = devices.getByRole("button", { name: new RegExp(`^${account.devices.remove}:`) });
    await refuse.first().click();
    await devices.getByRole("button", { name: account.devices.remove, exact: true }).click();
    await devices.getByText(account.devices.isNew.title).waitFor({ state: "detached" });
    await thief.open("/");
    await button(thief, thief.words.welcome.signIn).click();
    await thief.page.getByRole("alert").filter({ hasText: thief.words.passkey.refused.title }).waitFor();
  });

  it("freezes the account, which ends the session here too, and says who lifts that", async () => {
    await openProfile(ana);
    for (const name of [account.freeze.ask, account.freeze.confirm]) await button(ana, name).click();
    await ana.page.getByRole("alert").filter({ hasText: ana.words.passkey.frozen.title }).waitFor();
  });
});
