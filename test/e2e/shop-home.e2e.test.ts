import { expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { countPresses } from "./support/count-presses.ts";
import { picture } from "./support/open-browser.ts";
import type { Phone } from "./support/phone.ts";

const fixture = aBrowserFixture();

/** The text of a part of Home, with plain spaces. */
async function textOf({ page }: Phone, selector: string): Promise<string> {
  return (await page.locator(selector).innerText()).replace(/\s+/g, " ").trim();
}

function sell(amount: number, more: object = {}) {
  const { payer, merchant } = fixture.product.demo.users;
  const body = { from_user_id: payer.id, to_user_id: merchant.id, amount, ...more };
  return fixture.api.client.createTransaction({ body });
}

it("a merchant's Home shows the sum of today's sales, less refunds, and the last of them", async () => {
  await sell(25_000);
  const { body: second } = await sell(12_000);
  const shop = await fixture.phoneOf("merchant");
  const { words } = shop;
  await expect.poll(() => textOf(shop, "cupo-shop-today .today .money")).toBe("$ 37.000");
  expect(await textOf(shop, "cupo-shop-today .today .row span")).toBe(words.shop.sales(2));
  await fixture.api.client.reverseTransaction({ body: { id: second.id, amount: 2_000 } });
  await shop.open("/");
  await expect.poll(() => textOf(shop, "cupo-shop-today .today .money")).toBe("$ 35.000");
  expect(await shop.page.locator("cupo-shop-today cupo-movement-list a.row").count()).toBe(2);
  await picture(shop.page, "shop-home");
  await shop.page.getByRole("link", { name: words.shop.byDay }).click();
  await expect.poll(() => textOf(shop, "cupo-received-page h2 span")).toBe("$ 35.000");
  expect(await shop.page.locator("cupo-received-page").getByText(words.shop.refundsTaken).isVisible()).toBe(true);
  await picture(shop.page, "shop-by-day");
  // The list of a person who is no shop has no sums of sales, and nothing that would change them.
  const ana = await fixture.phoneOf("payer");
  await ana.open("/received");
  await ana.page.locator("cupo-received-page a.row").first().waitFor();
  expect(await ana.page.getByText(words.shop.refundsTaken).count()).toBe(0);
  expect(await ana.page.locator("cupo-received-page h2 span").allInnerTexts()).toEqual([
    expect.stringMatching(/^\s*$/),
  ]);
});

it("the sum of today counts more sales than are read at once, and says so while some are missing", async () => {
  await Promise.all(Array.from({ length: 60 }, () => sell(100)));
  const shop = await fixture.newPhone();
  const { page, words } = shop;
  const older = Promise.withResolvers<undefined>();
  await page.route(/\/v1\/me\/history\?.*cursor=/, async (route) => {
    await older.promise;
    await route.continue();
  });
  await page.goto(fixture.product.demo.users.merchant.sign_in_url);
  const partial = page.locator("cupo-shop-today .today").getByText(words.search.loadingOlder);
  await partial.waitFor();
  expect(await textOf(shop, "cupo-shop-today .today .money")).toBe("$ 5.000");
  await picture(page, "shop-today-partial");
  older.resolve(undefined);
  await partial.waitFor({ state: "detached" });
  await expect.poll(() => textOf(shop, "cupo-shop-today .today .money")).toBe("$ 41.000");
});

it("the next sale takes its digits and one press, is told of when it is paid, and its amount is said", async () => {
  const shop = await fixture.newPhone();
  const { page, words } = shop;
  await page.addInitScript(() => {
    localStorage.setItem("cupo.sound", "says");
    // A device without tones, whose voice is heard by the test.
    Object.assign(globalThis, { AudioContext: undefined, said: [] });
    speechSynthesis.speak = ({ text, lang }) => {
      (globalThis as unknown as { said: string[] }).said.push(`${lang}: ${text}`);
    };
  });
  shop.watch.allow(/AudioContext is not a constructor/);
  await shop.signInBy(fixture.product.demo.users.merchant.sign_in_url);
  await page.getByRole("link", { name: words.shop.charge, exact: true }).click();
  await page.locator("cupo-receive-page cupo-amount-field").waitFor();
  const presses = await countPresses(shop);
  const make = page.getByRole("button", { name: words.receive.makeCode });
  const ways = { "8000": () => make.click(), "9000": () => page.keyboard.press("Enter") };
  for (const [digits, press] of Object.entries(ways)) {
    await page.locator("cupo-receive-page cupo-amount-field input:focus").waitFor();
    await page.keyboard.type(digits);
    const [made] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/v1/me/qr")),
      press(),
    ]);
    await page.locator("cupo-receive-page .reference").waitFor();
    expect(presses()).toBe(1);
    const { payload: qr } = (await made.json()) as { readonly payload: string };
    await sell(Number(digits), { details: { qr } });
    await page.locator("cupo-receive-page .arrived").waitFor();
  }
  const said = () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
  await expect
    .poll(said)
    .toEqual(["8.000", "9.000"].map((sum) => `es: ${words.receive.paid(`${sum} pesos colombianos`)}`));
  await picture(page, "shop-next-sale");
});

it("a merchant's own code and sales are shown without a connection, though neither was ever opened", async () => {
  const shop = await fixture.phoneOf("merchant");
  const { page, context, words } = shop;
  await shop.untilKept();
  const kept = () => page.evaluate(() => localStorage.getItem("cupo.own-code"));
  await expect.poll(kept).not.toBeNull();
  const { qr } = JSON.parse((await kept()) ?? "{}") as { readonly qr: { readonly check_code: string } };
  await context.setOffline(true);
  shop.watch.allow(/net::ERR_INTERNET_DISCONNECTED/);
  await page.getByRole("link", { name: words.tabs.receive, exact: true }).click();
  await page.locator("cupo-receive-page .plate").waitFor();
  expect(await textOf(shop, "cupo-receive-page .check .code")).toBe(qr.check_code);
  await page.getByRole("link", { name: words.tabs.history, exact: true }).click();
  await page.getByRole("link", { name: words.list.received, exact: true }).click();
  await page.locator("cupo-received-page a.row").first().waitFor();
  await picture(page, "shop-code-offline");
});
