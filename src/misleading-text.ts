/**
 * Control characters, bidirectional controls, and invisible characters: a text with them reads as another. Joiners,
 * direction marks and variation selectors are part of words and emoji, and no fault. DI: Default_Ignorable_Code_Point
 * (UAX 44).
 */
const MISLEADING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]|(?!\p{Variation_Selector}|[\u200c-\u200f\u061c])\p{DI}/u;

/** True if a text of one line may be read as another than it is. */
export function isMisleading(text: string): boolean {
  return MISLEADING.test(text);
}

/** Removes those characters, which nobody types on purpose, from a typed or pasted text. */
export function withoutMisleading(text: string): string {
  return text.replace(new RegExp(MISLEADING, "gu"), "");
}
