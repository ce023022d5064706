import { expect, test } from "vitest";
import { AVATAR_HUES, hueOf, initial } from "./avatar.ts";

test.each([
  ["ana", "A"],
  ["«El Trigal»", "E"],
  ["🥐 Panadería", "P"],
  ['"Ñame"', "Ñ"],
  ["4 Esquinas", "4"],
  ["…", "·"],
])("the avatar letter of %s is %s", (name, letter) => {
  expect(initial(name)).toBe(letter);
});

test("a name has one tint, and names share all tints among them", () => {
  const names = Array.from({ length: 600 }, (_, index) => `Tienda ${index}`);
  const counts = AVATAR_HUES.map((hue) => names.filter((name) => hueOf(name) === hue).length);
  for (const count of counts) expect(count).toBeGreaterThan(50);
  expect(hueOf("Café La Candelaria")).toBe(hueOf("Café La Candelaria"));
});
