import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { approving } from "../../pwa/language/approving/es.ts";
import type { Phone } from "./support/phone.ts";
import type { Shop } from "./support/shop.ts";
import { aWorld } from "./support/world.ts";

declare global {
  interface Window {
    readonly axe: { run(): Promise<AxeResults> };
  }
}

const world = aWorld();
let shop: Shop;
let ana: Phone;

beforeAll(async () => {
  shop = await world.shop();
  ana = await world.newPhone();
  for (const { context } of [shop, ana]) await context.addInitScript(axe.source);
  await shop.page.reload();
  await shop.shown();
});

/** What axe finds, in light and in dark, one line for each element. */
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
  it("on the shop's page", async () => {
    expect(await violations(shop.page)).toEqual([]);
  });

  it("on Welcome", async () => {
    await ana.open("/");
    await ana.page.getByRole("button", { name: "Continuar como Ana (demo)" }).waitFor();
    expect(await violations(ana.page)).toEqual([]);
  });

  it("on Scan, with the camera and with the field", async () => {
    await ana.continueAs("payer");
    await ana.openScan();
    expect(await violations(ana.page)).toEqual([]);
    await ana.type("7K3M-9QXT-2V4F-X");
    await ana.isTold("mistyped_reference");
    expect(await violations(ana.page)).toEqual([]);
  });

  it("on Confirm, the receipt and what was refused", async () => {
    const payload = await shop.payload();
    await ana.openCode(payload);
    await ana.toConfirm();
    expect(await violations(ana.page)).toEqual([]);
    await ana.pay();
    await ana.receipt();
    expect(await violations(ana.page)).toEqual([]);
    await ana.openCode(payload);
    await ana.page.getByRole("alert").filter({ hasText: approving.paidByYou.title }).waitFor();
    expect(await violations(ana.page)).toEqual([]);
  });

  it("on the shop's page when it is paid", async () => {
    await shop.untilConfirmed();
    expect(await violations(shop.page)).toEqual([]);
  });

  it("on Home and History, opened rows included", async () => {
    await ana.available();
    await ana.page.locator("cupo-movement-list").waitFor();
    expect(await violations(ana.page)).toEqual([]);
    await ana.movements("/history");
    expect(await violations(ana.page)).toEqual([]);
  });

  it("on Receive, with and without an amount, and Received", async () => {
    await ana.open("/receive");
    await ana.page.locator("cupo-receive-page svg[role=img]").waitFor();
    expect(await violations(ana.page)).toEqual([]);
    await ana.page.getByRole("button", { name: ana.words.receive.withAmount }).click();
    expect(await violations(ana.page)).toEqual([]);
    await ana.open("/received");
    await ana.page.getByRole("heading", { name: ana.words.list.emptyReceived.title }).waitFor();
    expect(await violations(ana.page)).toEqual([]);
  });

  it("on the question whether a merchant may show the quota, and on the list of those who may", async () => {
    const { page, words } = ana;
    const allow = page.getByRole("button", { name: words.grant.allow });
    await ana.open("/demo/customer.html");
    await page.getByRole("link", { name: "Conectar mi cupo" }).click();
    await allow.waitFor();
    expect(await violations(page)).toEqual([]);
    await allow.click();
    await page.waitForFunction(() => document.querySelector("user-quota")?.matches(":state(shown)"));
    expect(await violations(page)).toEqual([]);
    await ana.open("/grants");
    const revoke = page.getByRole("button", { name: words.grant.revoke });
    await revoke.waitFor();
    expect(await violations(page)).toEqual([]);
    await revoke.click();
    await page.getByRole("heading", { name: words.grant.none.title }).waitFor();
    expect(await violations(page)).toEqual([]);
    // The browser itself notes the refusal.
    ana.watch.allow(/status of 400 .*\/v1\/me\/grants\/request/);
    await ana.open("/grant#merchant=nobody");
    await page.getByRole("heading", { name: words.grant.unknown.title }).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
