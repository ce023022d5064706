import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { guideBlocks } from "./guide-blocks.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
const SHOP = join(ROOT, "docs/examples/shop");

/** Returns the anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  const plain = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
  return plain.trim().replace(/\s/g, "-");
}

function anchorsOf(path: string): readonly string[] {
  return [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

describe("the guide", () => {
  it("shows the example shop's files as they are, and each of them", () => {
    const blocks = guideBlocks();
    const files = readdirSync(SHOP);
    expect(files.length).toBeGreaterThan(3);
    for (const name of files) expect([name, blocks.get(name)]).toEqual([name, readFileSync(join(SHOP, name), "utf8")]);
  });

  it.each([...PAGES, "../README.md"])("%s leads to no page or heading that is not there", (page) => {
    const path = join(ROOT, "docs", page);
    const links = [...readFileSync(path, "utf8").matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const missing = links.filter((link) => {
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : join(dirname(path), file);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(missing).toEqual([]);
  });

  it("is linked from the README, every page of it", () => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    expect(PAGES.filter((page) => !readme.includes(`(docs/${page})`))).toEqual([]);
  });
});
