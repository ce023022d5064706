import { describe, expect, it } from "vitest";
import { maskName } from "./mask-name.ts";

describe("a masked name", () => {
  it.each([
    ["Ana Torres", "A••• To•••"],
    ["ana maría de la torre gómez", "a••• ma••• d••• l•••"],
    ["Café La Esquina", "Ca••• L••• Es•••"],
    ["  Li   Wu ", "L••• W•••"],
    ["X", "•••"],
    ["José", "Jo•••"],
    ["Ne\u0301stor", "Né•••"],
    ["👩‍👩‍👧 Ruiz", "••• Ru•••"],
    ["𠮷田 太郎", "𠮷••• 太•••"],
    ["", ""],
  ])("of %s is %s", (name, expected) => {
    expect(maskName(name)).toBe(expected);
  });

  it("never says how long a word is, nor more than two of its letters", () => {
    const masks = ["Marta", "Marcela", "Marlenys", `Ma${"r".repeat(190)}`].map(maskName);
    expect(new Set(masks)).toEqual(new Set(["Ma•••"]));
  });
});
