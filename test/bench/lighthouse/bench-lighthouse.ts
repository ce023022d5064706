import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Result } from "lighthouse";
import { LighthouseRun } from "../../e2e/support/lighthouse-run.ts";
import { Product } from "../../e2e/support/product.ts";
import { type Spread, spreadOf } from "../statistics.ts";

/** Lighthouse's scores of cold loads on a mid-range phone, by page; the first page is bare, with nothing but a text. */
export interface LighthouseReport {
  readonly rounds: number;
  readonly pages: readonly PageScores[];
}

/** One page's loads: its score of 100 for performance, and milliseconds. */
interface PageScores {
  readonly name: string;
  readonly score: Spread;
  readonly largestPaintMs: Spread;
  readonly blockedMs: Spread;
}

const ROUNDS = 5;
const PAGES = Object.freeze({ Home: "/", Scan: "/scan", History: "/history", "shop's page": "/demo/" });
const BARE_PAGE = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Bare</title><p>Nothing but a text.`;

/** Measures the pages of the app as it is built, in turns with a bare one. */
export async function benchLighthouse(
  interrupted: Promise<never>,
  tell: (line: string) => void,
): Promise<LighthouseReport> {
  if (!existsSync("dist/app/index.html")) throw new Error("dist/app is not there: run npm run build before the bench.");
  tell("Starting the product and a Chromium …");
  const bare = createServer((_request, response) => response.setHeader("content-type", "text/html").end(BARE_PAGE));
  await once(bare.listen(0, "localhost"), "listening");
  const bareAddress = `http://localhost:${(bare.address() as AddressInfo).port}/`;
  const product = await Product.start();
  const run = await LighthouseRun.open(product);
  try {
    const addresses = Object.entries(PAGES).map(([name, path]) => [name, `${product.origin}${path}`] as const);
    return await Promise.race([measure(run, [["bare page", bareAddress], ...addresses], tell), interrupted]);
  } finally {
    await run.profile.end();
    await product.remove();
    bare.close();
  }
}

async function measure(
  run: LighthouseRun,
  pages: readonly (readonly [name: string, address: string])[],
  tell: (line: string) => void,
): Promise<LighthouseReport> {
  const loads = new Map<string, Result[]>(pages.map(([name]) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    tell(`Cold loads on a phone, ${round + 1} of ${ROUNDS} …`);
    for (const [name, address] of pages) loads.get(name)?.push(await run.load(address, ["performance"]));
  }
  const scores = [...loads].map(([name, results]): PageScores => {
    const timesOf = (audit: string) => spreadOf(results.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));
    return {
      name,
      score: spreadOf(results.map(({ categories }) => (categories["performance"]?.score ?? Number.NaN) * 100)),
      largestPaintMs: timesOf("largest-contentful-paint"),
      blockedMs: timesOf("total-blocking-time"),
    };
  });
  return { rounds: ROUNDS, pages: scores };
}
