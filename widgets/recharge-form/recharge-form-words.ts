/** Returns a sentence with its placeholder `%` replaced by a value. */
export function filled(sentence: string, value: string | number): string {
  return sentence.replace("%", () => `${value}`);
}

/** Returns the sentence that explains an error or reason code; undefined if the words have none. */
export function meaningOf(code: string | undefined, words: Readonly<Record<string, string>>): string | undefined {
  return code?.includes("_") ? words[code] : undefined;
}
