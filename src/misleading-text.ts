/**
 * Control characters, bidirectional controls, and invisible characters: a text with them reads as another. Joiners,
 * direction marks and variation selectors are part of words and emoji, and no fault. DI: Default_Ignorable_Code_Point
 * (UAX 44).
 */
const MISLEADING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]|(?!\p{Variation_Selector}|[\u200c-\u200f\u061c])\p{DI}/u;

/**
 * True if a single-line text has characters by which it can look like another text (bidirectional controls, invisible
 * ones).
 */
export function isMisleading(text: string): boolean {
  return MISLEADING.test(text);
}

/**
 * Removes characters that make a text look like another one from a typed or pasted text; nobody types them on purpose.
 */
export function withoutMisleading(text: string): string {
  return text.replace(new RegExp(MISLEADING, "gu"), "");
}
