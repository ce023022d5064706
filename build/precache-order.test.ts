import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inOrderOfNeed } from "./precache-order.ts";

const PAGES = {
  "/scan": { es: ["assets/home-1.js", "assets/scan-1.js"] },
  "/confirm": { es: ["assets/home-1.js", "assets/confirm-1.js"] },
};

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cupo-precache-"));
  writeFileSync(join(folder, "page-scripts.json"), JSON.stringify(PAGES));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function orderOf(urls: readonly string[]): Promise<readonly string[]> {
  const entries = urls.map((url) => ({ url, revision: null, size: 1 }));
  return (await inOrderOfNeed(folder)(entries)).manifest.map(({ url }) => url);
}

it("files of a first payment are fetched first, and pictures last", async () => {
  const sorted = [
    ...["assets/home-1.js", "assets/scan-1.js", "assets/scan-worker-1.js", "assets/jsqr-decoder-1.js"],
    ...["assets/confirm-1.js", "assets/account-1.js", "index.html", "icons/any-512.png"],
  ];
  expect(await orderOf(sorted.toReversed())).toEqual([
    ...sorted.slice(0, 5),
    ...["index.html", "assets/account-1.js", "icons/any-512.png"],
  ]);
});

it("a scanner whose worker has another name is a mistake of the build", async () => {
  await expect(orderOf(["assets/reader-1.js", "assets/jsqr-decoder-1.js"])).rejects.toThrow("scan-worker");
});
