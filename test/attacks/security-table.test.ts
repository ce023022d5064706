import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type JudgedBy, type ShownBy, STRANGERS, securityChecks } from "./verdicts/security-checks.ts";
import type { Verdict } from "./verdicts/verdict.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Cells of the first table of docs/security.md. */
const [HEAD = [], , ...ROWS] = readFileSync(join(ROOT, "docs/security.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(0, Object.keys(securityChecks).length + 2)
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const CELLS = ROWS.flatMap(([harm = "", ...cells]) =>
  cells.map((cell, index) => ({ harm, stranger: HEAD[index + 1] ?? "", cell })),
);

/** Each first word of a cell, and the verdicts on operations that say the same. */
const WORDS: Readonly<Record<string, (verdict: Verdict) => boolean>> = {
  no: (verdict) => typeof verdict === "number",
  own: (verdict) => verdict === "own records only" || verdict === "allowed",
  yes: (verdict) => verdict === "allowed",
};

const CHECKS = securityChecks as Readonly<
  Record<string, Readonly<Record<string, readonly ShownBy[] | ShownBy | JudgedBy>>>
>;

function isTold(name: string, text: string): boolean {
  return ["it", "attack"].some((kind) => text.includes(`${kind}(${JSON.stringify(name)}`));
}

describe("the table of docs/security.md", () => {
  it("has a cell for each check, and a check for each cell", () => {
    expect(HEAD.slice(1)).toEqual(STRANGERS);
    expect(ROWS.map(([harm]) => harm)).toEqual(Object.keys(securityChecks));
    expect(CELLS).toHaveLength(Object.keys(securityChecks).length * STRANGERS.length);
  });

  it.each(CELLS)("tells of $stranger, $harm: $cell", ({ harm, stranger, cell }) => {
    const check = CHECKS[harm]?.[stranger];
    if (check === undefined) throw new Error("no check has these names");
    expect(cell).toMatch(/^(?:no|own|yes|limited)(?:: .+)?$/);
    if ("verdicts" in check) {
      const [word = ""] = cell.split(":");
      expect(check.verdicts.filter((verdict) => WORDS[word]?.(verdict) !== true)).toEqual([]);
      expect(check.verdicts.length).toBeGreaterThan(0);
      return;
    }
    for (const { file, name } of [check].flat()) {
      const path = join(ROOT, file);
      expect(existsSync(path), file).toBe(true);
      expect(isTold(name, readFileSync(path, "utf8")), `${file} › ${name}`).toBe(true);
    }
  });
});
