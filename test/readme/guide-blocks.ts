import { readFileSync } from "node:fs";
import { join } from "node:path";

const DOCS = join(import.meta.dirname, "../../docs");
const PAGES = ["accept-payments.md", "sell-top-ups.md", "show-quota.md", "own-backend.md"];

/** The text of a page of the guide, such as `accept-payments.md`. */
export function guidePage(page: string): string {
  return readFileSync(join(DOCS, page), "utf8");
}

/** The code blocks of all pages that are marked with a file's name, by that name; no two have the same. */
export function guideBlocks(): ReadonlyMap<string, string> {
  const found = PAGES.flatMap((page) => [...guidePage(page).matchAll(/^```\w+ ([\w.-]+)\n([\s\S]*?)^```$/gm)]);
  const blocks = new Map(found.map(([, name = "", text = ""]) => [name, text]));
  if (blocks.size < found.length) throw new Error("two code blocks of the guide are marked with one name");
  return blocks;
}

/** The block of that name; throws where no page has one. */
export function guideBlock(name: string): string {
  const text = guideBlocks().get(name);
  if (text === undefined) throw new Error(`the guide has no code block that is marked ${name}`);
  return text;
}
