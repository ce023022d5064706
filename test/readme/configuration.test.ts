import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configurationTable } from "../../server/config/config.ts";

const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");

test("the README lists every variable with its default, as the code has them", () => {
  const listed = /<!-- configuration -->\n([\s\S]*)<!-- \/configuration -->/.exec(readme)?.[1];
  expect(listed).toBe(configurationTable());
});
