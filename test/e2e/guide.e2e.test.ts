import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { guideBlock, guidePage } from "../readme/guide-blocks.ts";
import { runCommand } from "../support/run-command.ts";
import { guideEnvironment, NewMerchant } from "./support/new-merchant.ts";
import { openBrowser, picture, WAIT_TIMEOUT_MS } from "./support/open-browser.ts";
import { Phone } from "./support/phone.ts";
import { environmentOf, freePort, Product } from "./support/product.ts";
import { ServiceApi } from "./support/service-api.ts";
import { Watch } from "./support/watch.ts";

const SETUP_MS = 120_000;
const HEARD = { timeout: 15_000 };
const DELIVERED = "order 1042 is paid: deliver\n";

let product: Product;
let browser: Browser;
let merchant: NewMerchant;
let shop: Awaited<ReturnType<NewMerchant["run"]>>;

beforeAll(async () => {
  const starting = Product.start(undefined, { environment: guideEnvironment() });
  [product, browser] = await Promise.all([starting, openBrowser()]);
  merchant = await NewMerchant.begin(starting);
  shop = await merchant.run("shop.mjs");
}, SETUP_MS);

afterAll(async () => {
  await merchant?.end();
  await browser?.close();
  await product?.remove();
});

/** Opens a window for the shop's page; a request to anything but the shop and the broker's widget routes is a fault. */
async function openShop(): Promise<{ readonly page: Page; readonly watch: Watch }> {
  const context = await browser.newContext({ viewport: { width: 1_024, height: 900 }, locale: "es-CO" });
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  const watch = await Watch.over(context, merchant.shop);
  watch.allow(
    new RegExp(`^asked another origin: ${product.origin}/(?:widgets/|v1/(?:sessions?|look-ups|recharges)\\b)`),
  );
  return { page: await context.newPage(), watch };
}

/** Shows an element of the guide whose `fetchSession` returns the given session. */
async function showElement(tag: string, block: string, session: unknown) {
  await merchant.show(guideBlock(block).replace(/ session-url="[^"]*"/, ""));
  const { page, watch } = await openShop();
  await page.goto(merchant.shop);
  await page
    .locator(tag)
    .evaluate((element, given) => Object.assign(element, { fetchSession: async () => given }), session);
  return { element: page.locator(tag), page, watch };
}

/** Waits until an element's property `phase` has this value. */
async function until(page: Page, tag: string, phase: string): Promise<void> {
  await expect.poll(() => page.locator(tag).evaluate((element) => Reflect.get(element, "phase")), HEARD).toBe(phase);
}

async function payloadOn(page: Page): Promise<string> {
  const link = await page.locator("pay-qr a[part~=open]").getAttribute("href");
  return decodeURIComponent(new URL(link ?? "").hash.slice(1));
}

async function anasPhone(): Promise<Phone> {
  const ana = await Phone.take(browser, product);
  await ana.signInBy(product.demo.users.payer.sign_in_url);
  return ana;
}

it("a page and a backend made from the guide alone, on another port, take a payment and know it", async () => {
  const webhook = await merchant.run("webhook.mjs");
  const { page, watch } = await openShop();
  const response = await page.goto(merchant.shop);
  const [, line = ""] = /^Content-Security-Policy: (.+)$/m.exec(guidePage("accept-payments.md")) ?? [];
  expect(response?.headers()["content-security-policy"]).toBe(line.replaceAll("BROKER", product.origin));
  await page.locator("pay-qr [part~=qr] path").waitFor();
  await picture(page, "60-guide-shop");

  const { session_id } = (await merchant.curl("start-session.sh")) as { readonly session_id: string };
  const asked = { SESSION_ID: session_id };
  expect(await merchant.curl("ask-session.sh", asked)).toMatchObject({ state: "unpaid" });
  await page.locator("pay-qr").evaluate((element) => element.dispatchEvent(new CustomEvent("pay-paid")));
  await page.getByText("Confirmamos tu pago.").waitFor();
  expect(shop.out).not.toContain("deliver");

  const ana = await anasPhone();
  await ana.openCode(await payloadOn(page));
  expect(await ana.toConfirm()).toMatchObject({ payee: "Café La Candelaria", amount: "$ 25.000" });
  await ana.page.locator("cupo-confirm-page .who").getByText("en Mi Tienda", { exact: true }).waitFor();
  await ana.pay();
  expect((await ana.receipt()).title).toBe("Pagaste a Café La Candelaria en Mi Tienda");
  await page.locator("pay-qr [part~=outcome].good").waitFor();
  await page.getByText("Tu pedido está en preparación.").waitFor();
  await picture(page, "61-guide-paid");
  expect(shop.out).toContain(DELIVERED);
  await expect.poll(() => webhook.out, HEARD).toContain(DELIVERED);

  const paid = (await merchant.curl("ask-session.sh", asked)) as { readonly transaction_id: string };
  expect(paid).toMatchObject({ state: "paid", order: "1042", amount: 25_000, currency: "COP" });
  const { client } = await ServiceApi.of(product.demo);
  await client.reverseTransaction({ body: { id: paid.transaction_id } });
  await expect.poll(() => webhook.out, HEARD).toContain("order 1042: 25000 back\n");
  const order = await fetch(`${merchant.shop}/my-shop/order?order=1042`);
  expect(await order.json()).toEqual({ state: "refunded" });
  expect([shop.err, webhook.err]).toEqual(["", ""]);
  expect([watch.takeFaults(), ana.watch.takeFaults(), product.takeLogged()]).toEqual([[], [], []]);
});

it("a pinned script shows an open amount, and another hash shows nothing", async () => {
  const { version, files } = (await (await fetch(`${product.origin}/widgets/integrity.json`)).json()) as {
    readonly version: string;
    readonly files: Readonly<Record<string, { readonly integrity: string }>>;
  };
  const lines = guideBlock("pinned.html") + guideBlock("open.html");
  const given = { VERSION: version, PUBLISHABLE_KEY: merchant.publishableKey };
  const { page, watch } = await openShop();
  await merchant.show(lines, { ...given, INTEGRITY: files["pay-qr.js"]?.integrity ?? "" });
  await page.goto(merchant.shop);
  await page.locator("pay-qr [part~=qr] path").waitFor();
  expect(watch.takeFaults()).toEqual([]);

  await merchant.show(lines, { ...given, INTEGRITY: files["user-quota.js"]?.integrity ?? "" });
  watch.allow(/integrity/);
  await page.reload();
  expect(await page.evaluate(() => customElements.get("pay-qr"))).toBeUndefined();
  expect(watch.takeFaults()).toEqual([]);
});

it("a page at an address that is not listed shows no code, though its backend was given a session", async () => {
  await merchant.show(guideBlock("page.html"));
  const { page, watch } = await openShop();
  watch.allow(/CORS|ERR_FAILED|asked another origin: .*\/(?:page\.js|my-shop\/session\?order=1042|)$/);
  const refused = page.waitForEvent("requestfailed", { predicate: (request) => request.url().endsWith("/v1/session") });
  await page.goto(merchant.shop.replace("localhost", "127.0.0.1"));
  await refused;
  await page.locator("pay-qr [part~=notice]").waitFor();
  await picture(page, "64-guide-not-listed");
  expect(await page.locator("pay-qr [part~=qr]").count()).toBe(0);
  expect(watch.takeFaults()).toEqual([]);
});

it("a till of the guide sells within what its backend signed, and the backend knows what was sold", async () => {
  const start = 'result = await (await import("./till.mjs")).startTill("Caja 1");';
  await expect(merchant.use(start)).rejects.toThrow("--sells-top-ups");
  await merchant.becomeSeller();
  const { element, page, watch } = await showElement("recharge-form", "till.html", await merchant.use(start));
  await element.locator("[part~=field]").fill("3001234567");
  await page.keyboard.press("Enter");
  await element.locator("[part~=preset]").first().click();
  await until(page, "recharge-form", "confirm");
  // The element takes a click that follows another at once for a double click.
  await page.waitForTimeout(500);
  await element.locator("[part~=way-on]").click();
  await until(page, "recharge-form", "receipt");
  await picture(page, "62-guide-till");
  expect(await merchant.use('result = await (await import("./till.mjs")).soldToday("Caja 1");')).toBe(10_000);
  const today = new Intl.DateTimeFormat("sv", { timeZone: "America/Bogota" }).format(new Date());
  const sale = { state: "approved", amount: 10_000, till: "Caja 1" };
  expect(await merchant.curl("sales.sh", { DAY: today })).toEqual([expect.objectContaining(sale)]);
  expect(watch.takeFaults()).toEqual([]);
});

it("a person lets the guide's page show the quota, and takes it back", async () => {
  await merchant.show("");
  const asked = (await merchant.use(`
    const customer = {};
    const link = (await import("./quota.mjs")).grantLink(customer);
    result = { customer, link };`)) as { readonly customer: object; readonly link: string };
  const ana = await anasPhone();
  ana.watch.allow(new RegExp(`^asked another origin: ${merchant.shop}/\\?`));
  await ana.page.goto(asked.link);
  await ana.page.getByRole("button", { name: ana.words.grant.allow }).click();
  await ana.page.waitForURL(`${merchant.shop}/?*`);
  const keep = `
    const { keepGrant, startQuota } = await import("./quota.mjs");
    const { customer, query } = given;
    await keepGrant(customer, new URLSearchParams(query));
    result = { customer, answer: await startQuota(customer) };`;
  const query = new URL(ana.page.url()).search;
  await expect(merchant.use(keep, { customer: { asked: "another's" }, query })).rejects.toThrow("nobody asked");
  const kept = (await merchant.use(keep, { ...asked, query })) as {
    readonly answer: unknown[];
    readonly customer: object;
  };
  // The address works once: it is refused now, even for a customer whom the shop asked the same.
  const copied = merchant.use(keep, { ...asked, query });
  await expect(copied).rejects.toThrow("The grant is not one of this merchant's");
  const { page, watch } = await showElement("user-quota", "account.html", kept.answer[1]);
  await until(page, "user-quota", "shown");
  await picture(page, "63-guide-quota");
  expect(watch.takeFaults()).toEqual([]);

  await ana.open("/grants");
  await ana.page.getByRole("button", { name: ana.words.account.grants.revoke }).click();
  await picture(ana.page, "64-guide-taking-back");
  await ana.page.getByRole("button", { name: ana.words.account.grants.revoke, exact: true }).click();
  await ana.page.getByText(ana.words.account.grants.none.title).waitFor();
  const again = 'result = await (await import("./quota.mjs")).startQuota(given.customer);';
  expect(await merchant.use(again, kept)).toEqual([403, { code: "not_allowed" }]);
  await merchant.becomeFirstParty();
  const first = await merchant.curl("first-party.sh", { USER_ID: product.demo.users.payer.id });
  expect(first).toMatchObject({ session: expect.stringMatching(/^ws_/) });
});

it("the guide's own backends start, ask and withdraw sessions, pay, list and hear of it", async () => {
  const { base_url, users } = product.demo;
  const sold = `
    const { isPaid, startSession, withdraw } = await import("./merchant.mjs");
    const { session_id } = await startSession("7", 9000);
    result = [await isPaid(session_id, "7", 9000), await withdraw(session_id)];`;
  expect(await merchant.use(sold)).toEqual([false, "cancelled"]);
  const port = await freePort();
  // Setting a webhook takes the scope `administration`, which a client has only if it was made with it (guide).
  const scopes = ["--scope", "read pay users quota administration"];
  const made = await runCommand(["client", "create", ...scopes, "--json"], environmentOf(product.place));
  const { client_id, client_secret } = JSON.parse(made.out) as Record<"client_id" | "client_secret", string>;
  const service = { BASE_URL: base_url, CLIENT_ID: client_id, CLIENT_SECRET: client_secret };
  const hear = 'result = await (await import("./fintech.mjs")).hearOf(given.url);';
  const secret = await merchant.use(hear, { url: `http://127.0.0.1:${port}/` }, service);
  const receiver = await merchant.run("receiver.mjs", { SECRETS: String(secret), PORT: String(port) });
  const payment = { from_user_id: users.payer.id, to_user_id: users.merchant.id, amount: 1_234 };
  const pay = `
    const { allPayments, pay, refund } = await import("./fintech.mjs");
    const outcomes = [await pay("77", given), await pay("77", given), await pay("78", { ...given, amount: -1 })];
    const found = (await allPayments(given.from_user_id)).filter(({ amount }) => amount === given.amount);
    const { id } = found[0];
    const refunds = [await refund("1", id, 234), await refund("1", id, 234), await refund("2", id)];
    result = [...outcomes, found.length, new Set(refunds).size];`;
  expect(await merchant.use(pay, payment, service)).toEqual(["approved", "approved", "refused: invalid_request", 1, 2]);
  await expect.poll(() => receiver.out, HEARD).toMatch(/^transaction\.created \S+$/m);
  expect(receiver.err).toBe("");
});
