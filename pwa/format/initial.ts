/** The letter that stands for a person or shop in a list: the first letter or digit of the name. */
export function initial(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? "·").toLocaleUpperCase();
}
