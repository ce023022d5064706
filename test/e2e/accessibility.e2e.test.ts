import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import type { Phone } from "./support/phone.ts";
import type { Shop } from "./support/shop.ts";

/*
 * The demo's pages around the app, with its elements on them. looks.measured.e2e.test.ts checks every page of the app
 * itself, and the tests of its journeys check the states that they reach.
 */

declare global {
  interface Window {
    readonly axe: { run(): Promise<AxeResults> };
  }
}

const fixture = aBrowserFixture();
let shop: Shop;
let ana: Phone;

beforeAll(async () => {
  shop = await fixture.shop();
  ana = await fixture.newPhone();
  for (const { context } of [shop, ana]) await context.addInitScript(axe.source);
  await shop.page.reload();
  await shop.shown();
});

/** Returns axe's violations in light and in dark, one line for each element. */
async function violations(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const results = await page.evaluate(() => window.axe.run());
    expect(results.passes.length).toBeGreaterThan(5);
    found.push(
      ...results.violations.flatMap(({ id, help, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) => `${colorScheme} ${id} (${help}): ${target.join(" ")} ${failureSummary}`,
        ),
      ),
    );
  }
  return found;
}

describe("axe finds nothing, light or dark", () => {
  it("on the shop's page, while it waits and when it is paid", async () => {
    expect(await violations(shop.page)).toEqual([]);
    await ana.continueAs("payer");
    await ana.openCode(await shop.payload());
    await ana.pay();
    await ana.receipt();
    await shop.untilConfirmed();
    expect(await violations(shop.page)).toEqual([]);
  });

  it("on the customer's page, before and after the merchant may show the quota", async () => {
    const { page, words } = ana;
    await ana.open("/demo/customer.html");
    const connect = page.getByRole("link", { name: "Conectar mi cupo" });
    await connect.waitFor();
    expect(await violations(page)).toEqual([]);
    await connect.click();
    await page.getByRole("button", { name: words.grant.allow }).click();
    await page.waitForFunction(() => document.querySelector("user-quota")?.matches(":state(shown)"));
    expect(await violations(page)).toEqual([]);
  });

  it("on the till's page", async () => {
    await ana.open("/demo/till.html");
    await ana.page.locator("recharge-form [part~=field]").waitFor();
    expect(await violations(ana.page)).toEqual([]);
  });
});
