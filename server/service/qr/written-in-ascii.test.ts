import fc from "fast-check";
import { expect, test } from "vitest";
import { writtenInAscii } from "./written-in-ascii.ts";

test("names in any script are written in ASCII once and for all", () => {
  const written: [string, string][] = [
    ["  Café\tMedellín – Ñandú’s  ", "Cafe Medellin - Nandu's"],
    ["Cafe\u0301", "Cafe"],
    ["Straße Łódź Þór", "Strasse Lodz Thor"],
    ["Приморская", "Primorskaya"],
    ["北京烤鸭 🦆", "BeiJingKaoYa"],
    ["Ταβέρνα", "Taverna"],
    ["👨‍👩‍👧 🇨🇴 🏴󠁧󠁢󠁥󠁮󠁧󠁿", ""],
  ];
  for (const [name, ascii] of written) expect(writtenInAscii(name, 40), name).toBe(ascii);
  expect(writtenInAscii("abc def", 4)).toBe("abc");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(30), (text, length) => {
      const ascii = writtenInAscii(text, length);
      expect(ascii).toMatch(/^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/);
      expect(ascii.length).toBeLessThanOrEqual(length);
      expect(writtenInAscii(ascii, length)).toBe(ascii);
    }),
  );
});
