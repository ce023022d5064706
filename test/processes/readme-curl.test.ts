import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Product } from "../e2e/support/product.ts";
import { terminalBlock } from "../readme/terminal-block.ts";

let product: Product;
let folder: string;

beforeAll(async () => {
  product = await Product.start();
  folder = mkdtempSync(join(tmpdir(), "cupo-readme-curl-"));
  symlinkSync(product.place.folder.path, join(folder, "data"));
});

afterAll(async () => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
  await product?.remove();
});

it("the README's curl pays a code, and pays the next one when it is typed again", () => {
  const references = [1, 2].map(() => {
    const out = execFileSync("sh", ["-eu", "-c", terminalBlock("curl")], { cwd: folder, encoding: "utf8" });
    expect(out.match(/"status":"approved"/g)).toHaveLength(2);
    expect(statSync(join(folder, "qr.png")).size).toBeGreaterThan(100);
    return /"reference":"(\w+)"/.exec(out)?.[1];
  });
  expect(new Set(references).size).toBe(2);
});
