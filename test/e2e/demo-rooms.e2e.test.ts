import { beforeAll, describe, expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import type { Phone } from "./support/phone.ts";

const fixture = aBrowserFixture();
let ana: Phone;

beforeAll(async () => {
  ana = await fixture.phoneOf("payer");
  // The browser logs the refusal by which the page learns that the permission is gone.
  ana.watch.allow(/status of 403 .*\/demo\/quota-session/);
});

function pesos(text: string): number {
  return Number(text.replace(/\D/g, ""));
}

describe("the demo shop's other rooms", () => {
  it("the till sells Ana a top-up that is hers at once, and lists it", async () => {
    const before = pesos(await ana.available());
    await ana.open("/demo/till.html");
    const till = ana.page.locator("recharge-form");
    await till.locator("[part~=field]").fill("300 123 4567");
    await till.getByRole("button", { name: "Buscar" }).click();
    await till.getByRole("button", { name: "10.000" }).click();
    // The element ignores a click that follows at once, so that a double click on the amount sells nothing.
    await till.getByText("Revisa y confirma", { exact: true }).first().waitFor();
    await ana.page.waitForTimeout(500);
    await till.getByRole("button", { name: /^Vender/ }).click();
    await till.getByText("Recarga hecha", { exact: true }).waitFor();
    await ana.page.getByText(/^Última venta de esta página: \w+\.$/).waitFor();
    await till.getByText("Recargas de hoy: 1").click();
    await till.locator("[part~=sale]").waitFor();
    expect(pesos(await ana.available())).toBe(before + 10_000);
  });

  it("the customer's page shows Ana's quota from her word on until she takes it back", async () => {
    const { page } = ana;
    const available = await ana.available();
    await ana.open("/demo/customer.html");
    const connect = page.getByRole("link", { name: "Conectar mi cupo" });
    const back = page.waitForRequest(/cupo_grant=gc_/);
    await connect.click();
    await page.getByRole("button", { name: ana.words.grant.allow }).click();
    const quota = page.locator("user-quota");
    await page.waitForFunction(() => document.querySelector("user-quota")?.matches(":state(shown)"));
    expect(pesos(await quota.locator("[part~=amount]").innerText())).toBe(pesos(available));
    expect(await connect.isVisible()).toBe(false);
    expect(new URL(page.url()).search).toBe("");
    // A stranger who gets the address that had the code sees nothing by it, and takes nothing from Ana.
    const stranger = await fixture.newPhone();
    await stranger.page.goto((await back).url());
    await stranger.page.getByText("Todavía no está conectado.").waitFor();
    expect(await stranger.page.locator("user-quota").count()).toBe(0);
    await page.goto((await back).url());
    await page.waitForFunction(() => document.querySelector("user-quota")?.matches(":state(shown)"));
    await ana.open("/grants");
    await page.getByRole("button", { name: ana.words.account.grants.revoke }).click();
    await page.getByRole("button", { name: ana.words.account.devices.cancel }).waitFor();
    await page.getByRole("button", { name: ana.words.account.grants.revoke, exact: true }).click();
    await page.getByText(ana.words.account.grants.revoked("Café La Candelaria")).first().waitFor();
    await ana.open("/demo/customer.html");
    await quota.getByText("Este comercio no puede ver tu cupo", { exact: true }).waitFor();
    await connect.waitFor();
    expect(await quota.locator("[part~=amount]").count()).toBe(0);
  });

  it("whoever does not want to connect is not asked why, and shown nothing", async () => {
    await ana.open("/demo/customer.html");
    await ana.page.getByRole("link", { name: "Conectar mi cupo" }).click();
    await ana.page.getByRole("button", { name: ana.words.grant.refuse }).click();
    await ana.page.locator("#answer").filter({ hasText: "permiso" }).waitFor();
    expect(await ana.page.locator("user-quota [part~=amount]").count()).toBe(0);
  });
});
