/**
 * Returns the avatar letter of a person or shop: the first letter or digit of the name, in upper case; `·` without one.
 */
export function initial(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? "·").toLocaleUpperCase();
}
