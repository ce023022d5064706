import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { formatMoney } from "../../pwa/format/money-format.ts";
import { words as account } from "../../src/language/es/app/account.ts";
import { words as approval } from "../../src/language/es/app/approval.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { showToCamera } from "./support/camera.ts";
import { picture } from "./support/open-browser.ts";
import { addAuthenticator, enrol, takeUp } from "./support/passkeys.ts";
import type { Phone } from "./support/phone.ts";

/** The most time from the broker's answer that a payment is made until the payee's open app shows it. */
const SEEN_WITHIN_MS = 2_000;
const CONFIRM = "**/v1/approvals/*/confirm";

declare global {
  /** Counts of a page's audio contexts and of its tones. */
  var sounded: { contexts: number; tones: number };
}

const fixture = aBrowserFixture();
/** Two people, each on a phone with passkeys of their own. */
let ana: Phone;
let ben: Phone;

function countSounds(): void {
  globalThis.sounded = { contexts: 0, tones: 0 };
  globalThis.AudioContext = class extends AudioContext {
    constructor() {
      super();
      globalThis.sounded.contexts++;
    }
  };
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (this: OscillatorNode, when?: number) {
    globalThis.sounded.tones++;
    start.call(this, when);
  };
}

beforeAll(async () => {
  ana = await fixture.newPhone();
  ben = await fixture.newPhone();
  await ben.context.addInitScript(countSounds);
  await enrol(fixture.product, ana, "payer");
  await enrol(fixture.product, ben, "merchant");
});

const button = ({ page }: Phone, name: string) => page.getByRole("button", { name, exact: true });
const tab = ({ page }: Phone, name: string) => page.getByRole("link", { name, exact: true });
const heardFromBen = (): Promise<typeof globalThis.sounded> => ben.page.evaluate(() => globalThis.sounded);

/** Approves a payment; returns the moment at which the broker answered that it is paid. */
async function approve({ page, payButton }: Phone): Promise<number> {
  const answered = page.waitForResponse(/\/confirm$/);
  await payButton.click();
  expect(await (await answered).json()).toMatchObject({ state: "approved", method: "passkey" });
  return performance.now();
}

/** Has Ana pay a new code of Ben's; returns the moment of the broker's answer. */
async function anaPays(amount: number): Promise<number> {
  await ana.openCode((await fixture.api.makeQr({ amount })).payload);
  await ana.toConfirm();
  return approve(ana);
}

/** Waits for the toast on Ben's page, whatever it says; returns the moment. */
async function toastSeen(): Promise<number> {
  await ben.page.locator("cupo-arrival-toast .toast").waitFor();
  return performance.now();
}

describe("money that arrives", () => {
  it("is said on Receive, after the payer's camera has read the code that Ben shows", async () => {
    await ben.open("/receive");
    await button(ben, ben.words.receive.withAmount).click();
    await ben.page.getByLabel(ben.words.common.amount).fill("15000");
    await button(ben, ben.words.receive.makeCode).click();
    const code = ben.page.locator("cupo-receive-page svg[role=img]");
    const shown = ben.page.locator("cupo-receive-page .sheet");
    await shown.filter({ hasText: "15.000" }).waitFor();
    await ana.openScan();
    await showToCamera(ana.page, await code.screenshot());
    const { payee, amount, checkCode } = await ana.toConfirm();
    expect(await shown.innerText()).toContain(checkCode);
    expect({ payee, amount }).toEqual({ payee: "Café La Candelaria", amount: "$ 15.000" });
    const said = ben.page.locator(".arrived").waitFor();
    const approvedAt = await approve(ana);
    await said;
    const tookMs = performance.now() - approvedAt;
    console.info(`from the approval to Receive's "paid": ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(SEEN_WITHIN_MS);
    const alert = ben.page.getByRole("alert").filter({ hasText: ben.words.receive.paidTitle });
    await alert.filter({ hasText: "15.000" }).filter({ hasText: "Ana Torres" }).waitFor();
    await picture(ben.page, "60-receive-paid");
    // Receive says it already, so that no toast repeats it.
    expect(await ben.page.locator("cupo-arrival-toast .toast").count()).toBe(0);
    expect((await ana.receipt()).title).toBe("Pagaste a Café La Candelaria");
  });

  it("is said over Home without a sound, and Home and History show it without a reload", async () => {
    const { merchant } = await fixture.api.balances();
    await ben.open("/");
    const quota = ben.page.locator("cupo-home-page .quota");
    await quota.and(ben.page.locator("[aria-busy=false]")).waitFor();
    await ben.page.evaluate(() => Object.assign(globalThis, { sameLoad: true }));
    const [seenAt, approvedAt] = await Promise.all([toastSeen(), anaPays(7_300)]);
    console.info(`from the approval to the toast: ${(seenAt - approvedAt).toFixed(0)} ms`);
    expect(seenAt - approvedAt).toBeLessThan(SEEN_WITHIN_MS);
    const toast = ben.page.getByRole("status").filter({ hasText: ben.words.receive.paid(formatMoney(7_300, "COP")) });
    expect(await toast.innerText()).toContain("Ana Torres");
    await picture(ben.page, "61-toast");
    await quota.filter({ hasText: (merchant + 7_300).toLocaleString("es-CO") }).waitFor();
    await ben.page.locator("cupo-home-page .row").filter({ hasText: "+$\u00a07.300" }).waitFor();
    await tab(ben, ben.words.tabs.history).click();
    await ben.page.locator("cupo-history-page .row").filter({ hasText: "+$\u00a07.300" }).waitFor();
    expect(await ben.page.evaluate(() => "sameLoad" in globalThis)).toBe(true);
    expect(await heardFromBen()).toEqual({ contexts: 0, tones: 0 });
  });

  it("sounds once Ben has turned that on, is not said how much where amounts are hidden, and leads to it", async () => {
    await ben.open("/profile");
    await ben.page.getByRole("radio", { name: account.arrivals.sounds.tones, exact: true }).check();
    await expect.poll(heardFromBen).toEqual({ contexts: 1, tones: 2 });
    await tab(ben, ben.words.tabs.home).click();
    await button(ben, ben.words.home.hide).click();
    const [seenAt, approvedAt] = await Promise.all([toastSeen(), anaPays(4_100)]);
    expect(seenAt - approvedAt).toBeLessThan(SEEN_WITHIN_MS);
    const toast = ben.page.locator("cupo-arrival-toast [role=status]");
    const text = await toast.innerText();
    expect(text).toMatch(new RegExp(`^${ben.words.receive.paidTitle}\\s[^\\d]*Ana Torres$`));
    await expect.poll(heardFromBen).toEqual({ contexts: 2, tones: 4 });
    await toast.getByRole("link").click();
    await ben.page.locator("cupo-receipt-page").getByText("Ana Torres").waitFor();
    expect(await toast.innerText()).toBe("");
    await tab(ben, ben.words.common.back).or(button(ben, ben.words.common.back)).click();
    await button(ben, ben.words.home.hide).click();
  });
});

/** Opens Confirm for a new code on Ana's phone; returns the code, and both balances before it. */
async function anaAtConfirm(amount: number) {
  const before = await fixture.api.balances();
  const qr = await fixture.api.makeQr({ amount });
  await ana.openCode(qr.payload);
  await ana.toConfirm();
  return { before, qr };
}

describe("an approval that was tampered with", () => {
  it.each([
    ["amount", { amount: 2_001 }],
    ["payee", { payee: "Luz" }],
    ["reference", { reference: "7K3M9QXT2V4FW" }],
  ])("on its way to the broker, in its %s, is refused, and nothing is paid", async (_what, change) => {
    ana.watch.allow(/status of 409 .*\/confirm\)$/);
    const { before, qr } = await anaAtConfirm(2_000);
    await ana.page.route(CONFIRM, (route) =>
      route.continue({ postData: JSON.stringify({ ...(route.request().postDataJSON() as object), ...change }) }),
    );
    await ana.pay();
    await ana.isTold("approval_mismatch");
    expect(await ana.page.locator("cupo-pay-button").count()).toBe(0);
    expect(await fixture.api.balances()).toEqual(before);
    expect(await fixture.api.approvedOf(qr.reference)).toBe(0);
    await ana.page.unroute(CONFIRM);
  });

  it("on its way to the page, so that it shows less than is to be paid, is refused too", async () => {
    ana.watch.allow(/status of 409 .*\/confirm\)$/);
    await ana.page.route("**/v1/approvals", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), amount: 20 } });
    });
    const { before } = await anaAtConfirm(2_000);
    expect((await ana.toConfirm()).amount).toBe("$ 20");
    await ana.pay();
    await ana.isTold("approval_mismatch");
    await picture(ana.page, "63-tampered");
    expect(await fixture.api.balances()).toEqual(before);
    await ana.page.unroute("**/v1/approvals");
  });

  it("only in the page's picture is paid as it was approved, and the receipt says so", async () => {
    const { before } = await anaAtConfirm(2_000);
    await ana.page.locator("cupo-confirm-page .who .money span:last-of-type").evaluate((digits) => {
      if (digits.firstChild !== null) digits.textContent = "20";
    });
    expect((await ana.toConfirm()).amount).toBe("$ 20");
    await approve(ana);
    expect((await ana.receipt()).amount).toBe("$ 2.000");
    expect((await fixture.api.balances()).payer).toBe(before.payer - 2_000);
  });
});

/** The fields of a confirmation. */
interface Confirmation {
  readonly payee: string;
  readonly amount: number;
  readonly reference?: string;
  readonly credential: object;
}

const confirmationOf = (request: Request): Confirmation => request.postDataJSON() as Confirmation;

/** Confirms an approval from a page, past the app. */
function send(page: Page, path: string, body: Confirmation): Promise<{ status: number; body: object }> {
  return page.evaluate(
    async ([url, text]) => {
      const headers = { "content-type": "application/json", "x-cupo-request": "1" };
      const response = await fetch(url, { method: "POST", headers, body: text });
      return { status: response.status, body: (await response.json()) as object };
    },
    [path, JSON.stringify(body)] as const,
  );
}

/** Opens a code; returns the path at which its approval is confirmed, and what the broker answered. */
async function opened(phone: Phone, payload: string) {
  const answered = phone.page.waitForResponse(/\/v1\/approvals$/);
  await phone.openCode(payload);
  const { id, payee, amount, reference } = (await (await answered).json()) as Confirmation & { readonly id: string };
  await phone.payButton.waitFor();
  return { path: `/v1/approvals/${id}/confirm`, payee, amount, ...(reference && { reference }) };
}

describe("a passkey's answer that was caught", () => {
  let caught: Confirmation;
  let path: string;

  it("tells the outcome when it is sent again, and nothing is paid again", async () => {
    const { before, qr } = await anaAtConfirm(3_000);
    const sent = ana.page.waitForRequest(/\/confirm$/);
    await approve(ana);
    const request = await sent;
    caught = confirmationOf(request);
    path = new URL(request.url()).pathname;
    expect(await send(ana.page, path, caught)).toMatchObject({ status: 200, body: { state: "approved" } });
    expect((await fixture.api.balances()).payer).toBe(before.payer - 3_000);
    expect(await fixture.api.approvedOf(qr.reference)).toBe(1);
  });

  it("approves no other payment, which the passkey itself still does", async () => {
    ana.watch.allow(/status of 403 .*\/confirm\)$/);
    const before = await fixture.api.balances();
    const next = await opened(ana, (await fixture.api.makeQr({ amount: 3_000 })).payload);
    const { path: nextPath, ...shown } = next;
    const refused = { status: 403, body: { code: "passkey_refused" } };
    expect(await send(ana.page, nextPath, { ...shown, credential: caught.credential })).toMatchObject(refused);
    expect(await fixture.api.balances()).toEqual(before);
    await approve(ana);
    expect((await fixture.api.balances()).payer).toBe(before.payer - 3_000);
  });

  it("is of no use to Ben, for Ana's approval or for his own", async () => {
    ben.watch.allow(/status of 40[34] .*\/confirm\)$/);
    const { payer } = fixture.product.demo.users;
    const before = await fixture.api.balances();
    const { path: own, ...shown } = await opened(
      ben,
      (await fixture.api.makeQr({ to_user_id: payer.id, amount: 900 })).payload,
    );
    expect(await send(ben.page, path, caught)).toMatchObject({ status: 404, body: { code: "not_found" } });
    const refused = { status: 403, body: { code: "passkey_refused" } };
    expect(await send(ben.page, own, { ...shown, credential: caught.credential })).toMatchObject(refused);
    expect(await fixture.api.balances()).toEqual(before);
  });
});

it("two tabs that approve one code at once with passkeys pay once, and both tell the truth", async () => {
  await ana.open("/profile");
  await button(ana, account.devices.invite).click();
  const code = await ana.page.locator("cupo-device-invitation .digits").innerText();
  await ana.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await button(ana, account.devices.copy).press("Enter");
  const link = await ana.page.evaluate(() => navigator.clipboard.readText());
  // A browser's tabs share a device's passkeys, but not those of an emulated device, so that the other tab has its own.
  const other = await ana.nextTab();
  await addAuthenticator(other.page);
  // The first tab's requests are refused while the other's sign-in replaces the session.
  ana.watch.allow(/status of 401 .*\/v1\/me/);
  await takeUp(other, { link, code });
  await other.page.locator("cupo-enrol-done").waitFor();
  const { before, qr } = await anaAtConfirm(5_000);
  await other.openCode(qr.payload);
  await other.toConfirm();
  await Promise.all([ana.payButton.click(), other.payButton.click()]);
  const ends = [ana, other].map(async ({ page }) => {
    const paid = page.locator("cupo-confirm-page .receipt");
    const told = page.getByRole("alert").filter({ hasText: approval.paidByYou.title });
    await paid.or(told).waitFor();
    return (await paid.count()) === 1 ? "paid" : "told";
  });
  expect((await Promise.all(ends)).sort()).toEqual(["paid", "told"]);
  expect((await fixture.api.balances()).payer).toBe(before.payer - 5_000);
  expect(await fixture.api.approvedOf(qr.reference)).toBe(1);
});
