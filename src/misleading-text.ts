/**
 * Control characters, those that turn writing round, and those that nobody sees: a text with them reads as another.
 * Joiners, marks of direction and variation selectors are part of words and pictures, and no fault.
 * DI: Default_Ignorable_Code_Point (UAX 44).
 */
const MISLEADING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]|(?!\p{Variation_Selector}|[\u200c-\u200f\u061c])\p{DI}/u;

/** Whether a text of one line may be read as another than it is. */
export function isMisleading(text: string): boolean {
  return MISLEADING.test(text);
}

/** What somebody typed or pasted, as it reads: without those characters, which nobody types on purpose. */
export function withoutMisleading(text: string): string {
  return text.replace(new RegExp(MISLEADING, "gu"), "");
}
