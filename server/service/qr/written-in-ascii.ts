import anyAscii from "any-ascii";

/** Signs that no letters stand for: pictures, flags, and what joins them. */
const PICTURES = /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u200d\ufe0f\u{e0000}-\u{e007f}]/gu;

/**
 * Writes a name in printable ASCII, as a payment code carries it, and cuts it to so many characters: "Café 北京" becomes
 * "Cafe BeiJing". The result may be empty. A text that was written so stays as it is.
 */
export function writtenInAscii(name: string, maxLength: number): string {
  const ascii = anyAscii(name.normalize("NFKC").replace(PICTURES, ""));
  return ascii
    .replace(/[^\x21-\x7e]+/g, " ")
    .trim()
    .slice(0, maxLength)
    .trimEnd();
}
