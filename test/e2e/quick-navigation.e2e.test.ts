import { firefox } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findFirefox } from "../support/firefox.ts";
import { aBrowserFixture, type BrowserFixture } from "./support/browser-fixture.ts";
import type { Phone } from "./support/phone.ts";

/** Below the time in which a page appears. */
const APART_MS = 20;
const NAVIGATIONS = 8;

/** Presses one tab after the other sooner than the page of the first has appeared. */
function pressTabs({ page }: Phone, times: number): Promise<void> {
  return page.evaluate(
    async ([count, apartMs]) => {
      const bar = document.querySelector("cupo-app")?.shadowRoot?.querySelector("cupo-tab-bar");
      for (let pressed = 0; pressed < count; pressed++) {
        const links = [...(bar?.shadowRoot?.querySelectorAll("a") ?? [])];
        links[pressed % 2 === 0 ? 1 : 0]?.click();
        await new Promise((done) => setTimeout(done, apartMs));
      }
    },
    [times, APART_MS] as const,
  );
}

/** Where a navigation that a newer one overtakes rejects a promise, the page has a fault. */
function itShowsTheLastPage(fixture: BrowserFixture): void {
  it("shows the last of several pages that are asked for at once", async () => {
    const ana = await fixture.phoneOf("payer");
    // The script of each page is loaded first, so that the pages follow one another at once.
    await pressTabs(ana, 2);
    await ana.page.waitForTimeout(500);
    await pressTabs(ana, NAVIGATIONS);
    await ana.page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
    expect(new URL(ana.page.url()).pathname).toBe("/");
    await ana.page.waitForTimeout(500);
  });
}

describe("In Chromium, the app", () => itShowsTheLastPage(aBrowserFixture()));

const executablePath = findFirefox("Quick navigation in Firefox");
describe.skipIf(executablePath === undefined)("In Firefox, the app", () =>
  itShowsTheLastPage(
    aBrowserFixture(() => firefox.launch({ channel: "moz-firefox", executablePath: executablePath ?? "" })),
  ),
);
