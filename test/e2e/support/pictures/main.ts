import { readFlags } from "../../../../build/usage.ts";
import { openBrowser } from "../open-browser.ts";
import { Product } from "../product.ts";
import { drawShortcuts } from "./draw-shortcuts.ts";
import { takeScreenshots } from "./take-screenshots.ts";

/** Takes the manifest's pictures again, from the app as it was last built; they are kept in the repository. */
async function main(): Promise<void> {
  readFlags({
    script: "pictures",
    text: "Takes the pictures of the README and of the app's manifest. It needs a build.",
  });
  const [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  try {
    await drawShortcuts(browser, "pwa/public/icons");
    await takeScreenshots(browser, product, "pwa/public/screenshots");
  } finally {
    await browser.close();
    await product.remove();
  }
}

await main();
