/** Letters and signs that Unicode does not decompose into an ASCII one and a mark. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  Æ: "AE",
  æ: "ae",
  Œ: "OE",
  œ: "oe",
  Ø: "O",
  ø: "o",
  Đ: "D",
  đ: "d",
  Ð: "D",
  ð: "d",
  Þ: "Th",
  þ: "th",
  Ł: "L",
  ł: "l",
  ı: "i",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
};

/**
 * Writes a name in printable ASCII, at most `maxLength` characters: "Café Medellín" becomes "Cafe Medellin". Characters
 * without an ASCII form are dropped, so the result may be empty. Folding a folded text changes nothing.
 */
export function foldToAscii(text: string, maxLength: number): string {
  const decomposed = text.normalize("NFKD").replace(/\p{M}/gu, "");
  const replaced = decomposed.replace(/[^\x20-\x7e]/gu, (character) => REPLACEMENTS[character] ?? blank(character));
  return replaced.replace(/ +/g, " ").trim().slice(0, maxLength).trim();
}

function blank(character: string): string {
  return /\s/u.test(character) ? " " : "";
}
