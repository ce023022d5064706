/** Fills a sentence's placeholder. */
export function filled(sentence: string, value: string | number): string {
  return sentence.replace("%", () => String(value));
}

/** Returns the sentence that explains a code, if there is one. */
export function meaningOf(code: string | undefined, words: Readonly<Record<string, string>>): string | undefined {
  return code?.includes("_") ? words[code] : undefined;
}
