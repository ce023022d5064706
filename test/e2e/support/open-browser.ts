import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../support/chromium.ts";

/** The most that a test waits for anything on a page, unless it measures the time itself. */
export const WAIT_TIMEOUT_MS = 10_000;

/** A real Chromium without a window. */
export function openBrowser(extraArguments: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS, ...extraArguments] });
}

/** Keeps a picture of each step, in light and dark, where JOURNEY_PICTURES names a folder; else does nothing. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.JOURNEY_PICTURES;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    // Colours change in a transition; a picture half way shows neither scheme.
    await page.waitForTimeout(350);
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: null });
}
