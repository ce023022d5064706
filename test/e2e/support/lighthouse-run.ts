import lighthouse, { type Flags, type Result } from "lighthouse";
import { throttling } from "lighthouse/core/config/constants.js";
import { pageFunctions } from "lighthouse/core/lib/page-functions.js";
import { OwnProfile } from "./own-profile.ts";
import { freePort, type Product } from "./product.ts";

/** The stream of hints stays open, so that the network never is as quiet as Lighthouse waits for. */
const LOADED_MS = 4_000;
/** Lighthouse's benchmark index of a mid-range phone; a machine is slowed down by how many times it is faster. */
const PHONE_INDEX = 450;
const MOST_SLOWDOWN = 4;

/** A category that Lighthouse scores. */
export type Category = "performance" | "accessibility" | "best-practices";

/** A browser in which Lighthouse loads pages as on a phone, with the session of the demo's payer. */
export class LighthouseRun {
  readonly profile: OwnProfile;
  readonly #port: number;

  private constructor(profile: OwnProfile, port: number) {
    this.profile = profile;
    this.#port = port;
  }

  /** Opens the browser, and signs the payer in. */
  static async open(product: Product): Promise<LighthouseRun> {
    const port = await freePort();
    const profile = await OwnProfile.open([`--remote-debugging-port=${port}`, "--force-prefers-reduced-motion"]);
    try {
      await profile.signIn(product);
      const [page] = profile.context.pages();
      // A browser's first camera request takes long, whatever the page does.
      await page?.goto(`${product.origin}/scan`);
      await page?.locator("cupo-scan-page .notice").waitFor();
      // So that nothing else runs in the browser.
      await page?.goto("about:blank");
    } catch (error) {
      await profile.end();
      throw error;
    }
    return new LighthouseRun(profile, port);
  }

  /**
   * Loads a page once, cold: Lighthouse empties the caches and removes the service worker first. Other audits make a
   * page slower, so performance is measured alone.
   */
  async load(address: string, categories: readonly Category[]): Promise<Result> {
    const [page] = this.profile.context.pages();
    const index = (await page?.evaluate(pageFunctions.computeBenchmarkIndex)) ?? 0;
    const flags: Flags = {
      port: this.#port,
      logLevel: "error",
      onlyCategories: [...categories],
      formFactor: "mobile",
      throttlingMethod: "simulate",
      throttling: {
        ...throttling.mobileSlow4G,
        cpuSlowdownMultiplier: Math.min(MOST_SLOWDOWN, Math.max(1, index / PHONE_INDEX)),
      },
      maxWaitForLoad: LOADED_MS,
      // No audit of these reads it, and it takes as long as all the rest.
      disableFullPageScreenshot: true,
    };
    let lhr = (await lighthouse(address, flags))?.lhr;
    // A busy browser now and then leaves the start of the navigation out of its trace: then there is nothing to score.
    if (lhr?.runtimeError?.code === "NO_NAVSTART") lhr = (await lighthouse(address, flags))?.lhr;
    if (lhr === undefined || lhr.runtimeError !== undefined) throw new Error(lhr?.runtimeError?.message ?? "no result");
    return lhr;
  }
}
