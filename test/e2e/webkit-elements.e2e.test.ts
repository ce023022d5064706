import { describe, expect, it } from "vitest";
import { languages } from "../../src/language/languages.ts";
import { leaveRemark } from "../support/remarks.ts";
import { findWebKit, WITHOUT_WEBKIT } from "../support/webkit.ts";
import type { Scenes, ShownElement } from "./support/showcase.ts";
import { overTheEdge } from "./support/visual/in-page.ts";
import { aWebKitFixture } from "./support/webkit-fixture.ts";

const JOURNEYS = "Elements in WebKit";
const SHOP = "Café La Candelaria";
const ELEMENTS: readonly ShownElement[] = ["pay-qr", "recharge-form", "user-quota"];
const driverPath = findWebKit(JOURNEYS);
if (driverPath === undefined) leaveRemark("webkit-elements", `${JOURNEYS}: ${WITHOUT_WEBKIT}.`);

/** Runs in the page: true once every element of the showcase has reached its state. */
function isPlayed(): boolean {
  const shown = [...document.querySelectorAll<HTMLElement>("pay-qr, recharge-form, user-quota")];
  return shown.length > 0 && shown.every(({ dataset }) => "played" in dataset);
}

/** Runs in the page: the names of the scenes of an element, and those of its states. */
function scenesOf(element: ShownElement): readonly (readonly [scene: string, states: readonly string[]])[] {
  const { cupoStates } = globalThis as unknown as { readonly cupoStates: Scenes };
  return Object.entries(cupoStates[element]).map(([scene, { shows }]) => [scene, shows.split(" ")]);
}

/** Runs in the page: the states of those that the one element is in, and its widths in each language and direction. */
async function shownOf(element: ShownElement, states: readonly string[], codes: readonly string[]) {
  const isIn = (state: string): boolean => document.querySelector(element)?.matches(`:state(${state})`) === true;
  const shown = states.filter(isIn);
  const root = document.documentElement;
  const widths: number[] = [];
  for (const lang of codes) {
    root.lang = lang;
    // One frame to notice the new language, one to draw it.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    for (const dir of ["rtl", "ltr"]) {
      root.dir = dir;
      widths.push(root.scrollWidth);
    }
  }
  return { shown, widths };
}

/** Runs in the page: keeps the names of the elements' events from now on. */
function keepEvents(): void {
  const events: string[] = [];
  Object.assign(globalThis, { events });
  for (const name of ["pay-paid", "recharge-done"]) addEventListener(name, () => events.push(name));
}

/** Runs in the page: the names of the events since then. */
function keptEvents(): readonly string[] {
  return (globalThis as unknown as { readonly events: readonly string[] }).events;
}

describe.skipIf(driverPath === undefined)("in WebKit", () => {
  const fixture = aWebKitFixture(driverPath ?? "");

  /** Pays a code in a window of its own, and returns to the page that was open; returns the check code shown there. */
  async function payInWindow(link: string): Promise<string> {
    const { ana, webkit } = fixture;
    const { driver } = webkit;
    const page = await driver.getWindowHandle();
    await driver.switchTo().newWindow("window");
    await ana.open(link);
    await ana.toConfirm();
    const checkCode = await ana.text("cupo-confirm-page >>> .facts .code");
    expect(await ana.pay()).toContain(SHOP);
    await driver.close();
    await driver.switchTo().window(page);
    return checkCode;
  }

  /** Waits until the customer's page shows a quota; returns its digits, which are 0 while it is masked. */
  async function shownQuota(): Promise<number> {
    return Number((await fixture.ana.text("user-quota:state(shown) >>> [part~=amount]")).replace(/\D/g, ""));
  }

  it("the order on the shop's page is paid by its link, and that page says so without a reload", async () => {
    const { ana, api } = fixture;
    await ana.signInAsPayer();
    const before = await api.balances();
    await ana.open("/demo/");
    await ana.run(keepEvents);
    const link = await (await ana.find("pay-qr >>> a[part~=open]")).getAttribute("href");
    const checkCode = await ana.text("pay-qr >>> [part~=check-code]");
    expect(await payInWindow(link ?? "")).toBe(checkCode);
    await ana.find("pay-qr >>> [part~=outcome].good");
    await ana.find("#delivery", "Pago confirmado.");
    expect(await ana.run(keptEvents)).toEqual(["pay-paid"]);
    expect(await api.balances()).toEqual({ payer: before.payer - 25_000, merchant: before.merchant + 25_000 });
  });

  it("the till sells Ana a top-up, once", async () => {
    const { ana, api, webkit } = fixture;
    const { payer } = await api.balances();
    await ana.open("/demo/till.html");
    await ana.run(keepEvents);
    await ana.type("recharge-form >>> [part~=field]", "300 123 4567");
    await ana.click("recharge-form >>> [part~=next]");
    await ana.click("recharge-form >>> [part~=preset]", "10.000");
    // The element ignores a click that follows at once, so that a double click on the amount sells nothing.
    const sell = async (): Promise<boolean> => {
      const [button] = await ana.all("recharge-form >>> [part~=way-on]", "Vender");
      await button?.click();
      return (await ana.all("recharge-form >>> .title", "Recarga hecha")).length > 0;
    };
    await webkit.driver.wait(sell, 30_000);
    expect(await ana.run(keptEvents)).toEqual(["recharge-done"]);
    expect((await api.balances()).payer).toBe(payer + 10_000);
  });

  it("the customer's page shows Ana's quota once she allows it, hides it, and shows it again", async () => {
    const { ana, api } = fixture;
    await ana.open("/demo/customer.html");
    await ana.click("#connect");
    await ana.click("cupo-grant-page >>> button", ana.words.grant.allow);
    expect(await shownQuota()).toBe((await api.balances()).payer);
    await ana.click("user-quota >>> [part~=mask]");
    await ana.find("user-quota:state(masked)");
    expect(await shownQuota()).toBe(0);
    await ana.click("user-quota >>> [part~=mask]");
    expect(await shownQuota()).toBe((await api.balances()).payer);
  });

  it("the customer's page shows the new quota when Ana refreshes it after a payment", async () => {
    const { ana, api } = fixture;
    const { payload } = await api.makeQr({ amount: 1_000 });
    await ana.open("/demo/customer.html");
    const { payer } = await api.balances();
    expect(await shownQuota()).toBe(payer);
    await payInWindow(`/p#${encodeURIComponent(payload)}`);
    await ana.click("user-quota >>> [part~=refresh]");
    await expect.poll(shownQuota).toBe(payer - 1_000);
  });

  it.for(ELEMENTS)(
    "<%s> reaches each of its states on a page of 320 px, and fits it in every language",
    async (element) => {
      const { ana, proxy } = fixture;
      const codes = Object.keys(languages);
      await ana.open("/demo/elements.html?element=none");
      await ana.until(() => "cupoStates" in globalThis);
      for (const [state, states] of await ana.run(scenesOf, element)) {
        await ana.openFrame(proxy.narrow(`/demo/elements.html?element=${element}&state=${state}&bare=`));
        await ana.until(isPlayed);
        const { shown, widths } = await ana.run(shownOf, element, states, codes);
        expect([shown, new Set(widths)], state).toEqual([states, new Set([320])]);
        expect(await ana.run(overTheEdge), state).toEqual([]);
      }
    },
  );

  it("an element is dark where the page is", async () => {
    const { ana } = fixture;
    await ana.open("/demo/elements.html?element=pay-qr&state=expired&theme=dark");
    const card = await ana.find("pay-qr >>> [part=card]");
    expect(await card.getCssValue("background-color")).toMatch(/^rgba?\(23, 33, 30\b/);
  });
});
