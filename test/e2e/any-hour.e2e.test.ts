import { type Browser, firefox } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFirefox } from "../support/firefox.ts";
import { openBrowser } from "./support/open-browser.ts";
import { zoneAtNoon } from "./support/zone-at-noon.ts";

const executablePath = findFirefox("The zones of the journeys in Firefox");

const BROWSERS: readonly (readonly [string, () => Promise<Browser>])[] = [
  ["Chromium", () => openBrowser()],
  ...(executablePath === undefined
    ? []
    : [["Firefox", () => firefox.launch({ channel: "moz-firefox", executablePath })] as const]),
];

const hours = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 1, 28, hour, 59)));

describe.each(BROWSERS)("%s", (_, launch) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  it("has a zone where it is noon, at each hour of the day", async () => {
    for (const now of hours) {
      const context = await browser.newContext({ timezoneId: zoneAtNoon(now) });
      const page = await context.newPage();
      const shown = await page.evaluate((time) => new Date(time).getHours(), now.getTime());
      expect([now.toISOString(), shown]).toEqual([now.toISOString(), 12]);
      await context.close();
    }
  });
});
