import fc from "fast-check";
import { expect, test } from "vitest";
import { foldToAscii } from "./fold-to-ascii.ts";

test("names fold to ASCII once and for all", () => {
  expect(foldToAscii("  Café\tMedellín – Ñandú’s  ", 40)).toBe("Cafe Medellin - Nandu's");
  expect(foldToAscii("Straße Łódź Þór Æ", 40)).toBe("Strasse Lodz Thor AE");
  expect(foldToAscii("abc def", 4)).toBe("abc");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(30), (text, length) => {
      const folded = foldToAscii(text, length);
      expect(folded).toMatch(/^[\x20-\x7e]*$/);
      expect(folded.length).toBeLessThanOrEqual(length);
      expect(foldToAscii(folded, length)).toBe(folded);
    }),
  );
});
