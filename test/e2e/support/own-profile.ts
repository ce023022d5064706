import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../support/chromium.ts";
import { WAIT_TIMEOUT_MS } from "./open-browser.ts";
import type { Product } from "./product.ts";

/** A browser with a profile of its own, which is not incognito: installing and measuring need that. */
export class OwnProfile {
  readonly context: BrowserContext;
  readonly #folder: string;

  private constructor(context: BrowserContext, folder: string) {
    this.context = context;
    this.#folder = folder;
  }

  /** Opens one, Spanish and as small as a phone. */
  static async open(extraArguments: readonly string[] = []): Promise<OwnProfile> {
    const folder = mkdtempSync(join(tmpdir(), "cupo-profile-"));
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: findChromium(),
      args: [...CHROMIUM_ARGUMENTS, ...extraArguments],
      locale: "es-CO",
      viewport: { width: 360, height: 740 },
      permissions: ["clipboard-read", "clipboard-write", "notifications"],
    });
    context.setDefaultTimeout(WAIT_TIMEOUT_MS);
    return new OwnProfile(context, folder);
  }

  /** Signs a demo person in, and leaves the page at Home. */
  async signIn({ demo }: Product, person: "payer" | "merchant" = "payer"): Promise<void> {
    const [page = await this.context.newPage()] = this.context.pages();
    await page.goto(demo.users[person].sign_in_url);
    await page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
  }

  /** Closes it, and removes its folder. */
  async end(): Promise<void> {
    await this.context.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
