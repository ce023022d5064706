import { describe, expect, it } from "vitest";
import { nameFault, tidyName } from "./name-fault.ts";

describe("a name is", () => {
  it.each([
    ["of a person in Colombia", "María del Socorro Ñáñez Güiza"],
    ["of a people of Colombia", "Jwʉmʉ Kamëntšá Wayúu'ya"],
    ["with initials and an apostrophe", "J. D. O’Neill-Peña"],
    ["with the apostrophe that is a letter", "Kaʻahumanu Oʼo"],
    ["of Vietnam", "Nguyễn Thị Ánh"],
    ["of Turkey", "Işıl Çağdaş"],
    ["of an Arabic writer", "نجيب محفوظ"],
    ["with Arabic vowels and digits", "مَطْعَم ٢٤"],
    ["of a Persian", "علی رضا"],
    ["of Israel", "יהודה עמיחי"],
    ["of Greece", "Γιώργος Παπαδόπουλος"],
    ["of Russia", "Анна Ахматова"],
    ["of Ukraine", "Мар’яна Їжакевич"],
    ["of Armenia", "Արամ Խաչատրյան"],
    ["of Georgia", "ნინო ბერიძე"],
    ["of India", "सुभद्रा कुमारी"],
    ["of Thailand", "คำพูน บุญทวี"],
    ["of Ethiopia", "አበበ ቢቂላ"],
    ["of Japan, in three scripts", "髙橋 さくら・ナオミ"],
    ["of Korea", "김소월"],
    ["of China", "王小波"],
    ["of Korea, in Korean and Chinese", "金素月 김소월"],
    ["of a shop in Latin and Japanese", "Ramen ラーメン 東京"],
    ["of a shop in Latin and Korean", "Seúl 서울 Café"],
    ["of a shop in Latin and Chinese", "Restaurante 北京 No. 1"],
    ["of a shop with ordinals and signs", "Droguería 1ª Nº 3 & Cía. (24h) – ®"],
    ["of a shop with an emoji of one character", "Arepas Doña Rosa 🌽 👍🏽 🇨🇴"],
    ["of a till", "caja:otra <script> __proto__ 7"],
    ["a number", "7"],
  ])("%s: %s", (_, name) => {
    expect(nameFault(name)).toBeUndefined();
  });
});

describe("no name has", () => {
  it.each([
    ["a line end", "Ana\nLuis", "U+000A"],
    ["a control", "Ana\u0007", "U+0007"],
    ["NUL", "\u0000Ana", "U+0000"],
    ["a line separator", "Ana\u2028Luis", "U+2028"],
    ["a paragraph separator", "Ana\u2029Luis", "U+2029"],
    ["a zero width space", "Mi\u200bTienda", "U+200B"],
    ["a joiner", "علی\u200cرضا", "U+200C"],
    ["a joined emoji", "Los 👩\u200d👧", "U+200D"],
    ["a variation selector", "Ana ❤\ufe0f", "U+FE0F"],
    ["a variant of an ideograph", "葛\u{e0100}城", "U+E0100"],
    ["a soft hyphen", "Tien\u00adda", "U+00AD"],
    ["a direction mark", "Ana\u200f", "U+200F"],
    ["an override of the direction", "Caf\u202eé", "U+202E"],
    ["an isolate", "\u2066Ana", "U+2066"],
    ["a byte order mark", "\ufeffAna", "U+FEFF"],
    ["a grapheme joiner", "A\u034fna", "U+034F"],
    ["the filler of Hangul", "\u3164\u3164", "U+3164"],
    ["the blank of Braille", "Ana\u2800", "U+2800"],
    ["a tag", "Ana\u{e0041}", "U+E0041"],
    ["an annotation", "Ana\ufff9", "U+FFF9"],
    ["a character of private use", "Ana\ue000", "U+E000"],
    ["an unassigned character", "Ana\u0378", "U+0378"],
    ["half a surrogate pair", "Ana\ud800", "U+D800"],
  ])("%s", (_, name, point) => {
    expect(nameFault(name)).toBe(`must not have ${point}, which nobody can see: leave it out`);
  });

  it.each(["", " ", "\u00a0", "—!", "🌽", "...", "½", "\u0301"])("a letter or digit missing: %j", (name) => {
    expect(nameFault(name)).toBe("must have a letter or a digit");
  });

  it.each([
    ["Nin\u0303o", "U+00F1", "U+006E"],
    ["A\u030angstro\u0308m", "U+00C5", "U+0041"],
    ["\u212bngström", "U+00C5", "U+212B"],
    ["か\u3099", "U+304C", "U+304B"],
    ["\u1112\u1161\u11ab", "U+D55C", "U+1112"],
    ["\u0958", "U+0915", "U+0958"],
  ])("another form than NFC: %j", (name, should, has) => {
    const sentence = `which has ${should} where this has ${has}: normalize it`;
    expect(nameFault(name)).toBe(`must be in Unicode Normalization Form C (NFC), ${sentence}`);
    expect(nameFault(name.normalize("NFC"))).toBeUndefined();
  });

  it.each([
    ["𝐀na", "U+1D400", "U+0041"],
    ["Ａna", "U+FF21", "U+0041"],
    ["Tienda ７", "U+FF17", "U+0037"],
    ["Tienda 𝟕", "U+1D7D5", "U+0037"],
    ["ﬁnca", "U+FB01", "U+0066 U+0069"],
    ["Juan ⅩⅩⅢ", "U+2169", "U+0058"],
    ["ℂafé", "U+2102", "U+0043"],
    ["ſol", "U+017F", "U+0073"],
  ])("a variant of a letter or digit: %s", (name, has, should) => {
    expect(nameFault(name)).toBe(`must not have ${has}: write ${should} instead`);
  });

  const mixing = "write it in one script, or in Latin with Chinese, Japanese or Korean";
  it.each([
    ["Bancolombiа", "U+0430", "Cyrillic"],
    ["Аna Torres", "U+0410", "Cyrillic"],
    ["Анна Aхматова", "U+0041", "Latin"],
    ["Οscar", "U+039F", "Greek"],
    ["Tiendօ", "U+0585", "Armenian"],
    ["Caféס", "U+05E1", "Hebrew"],
    ["Roma مطعم", "U+0645", "Arabic"],
    ["Тока カフェ", "U+30AB", "Katakana"],
    ["かふぇ 서울", "U+C11C", "Hangul"],
    ["Tienda ٣", "U+0663", "Arabic"],
    ["Tienda ৪", "U+09EA", "Bengali"],
  ])("letters of several scripts: %s", (name, point, script) => {
    expect(nameFault(name)).toBe(`must not have ${point} (${script}) beside letters of another script: ${mixing}`);
  });

  it.each([
    ["Ꭺna", "U+13AA"],
    ["ᎠᎡᎢ", "U+13A0"],
    ["𐌀", "U+10300"],
  ])("a script out of everyday use: %s", (name, point) => {
    expect(nameFault(name)).toBe(`must not have ${point}, of a script that few people read: write it in another one`);
  });
});

describe("what somebody types", () => {
  it("loses what nobody sees, and becomes NFC", () => {
    expect(tidyName("  Nin\u0303o\u200b ❤\ufe0f 👩\u200d👧 \n")).toBe("Niño ❤ 👩👧");
    expect(tidyName(" \u3164 ")).toBe("");
  });

  it("keeps every letter, also one that makes it no name", () => {
    expect(tidyName("Аna")).toBe("Аna");
    expect(nameFault(tidyName("Аna"))).toContain("U+0410");
  });
});
