/** Tints of avatars, as hues in degrees of the OKLCH circle, far enough apart to be told from each other. */
export const AVATAR_HUES: readonly number[] = Object.freeze([15, 70, 125, 170, 240, 305]);

/**
 * Returns the avatar letter of a person or shop: the first letter or digit of the name, in upper case; `·` without one.
 */
export function initial(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? "·").toLocaleUpperCase();
}

/** Returns the hue of a name's avatar, one of {@link AVATAR_HUES}: always the same for the same name. */
export function hueOf(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return AVATAR_HUES[hash % AVATAR_HUES.length] ?? 0;
}
