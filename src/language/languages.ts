/** Every language of the interface, with its locale where no region is named; its words are in `src/language/CODE`. */
export const languages = {
  es: "es-CO",
  en: "en-GB",
  pt: "pt-BR",
} as const;

/** A language of the interface, as BCP 47 tags begin with it. */
export type Language = keyof typeof languages;

/** The language for people who ask for none that the interface has. */
export const DEFAULT_LANGUAGE = "es" satisfies Language;

/** A value for each language. */
export type ByLanguage<T> = Readonly<Record<Language, T>>;

/** For each language a function that loads, when it is called, the words of one part of the app in that language. */
export type LoadByLanguage<Words> = ByLanguage<() => Promise<{ readonly words: Words }>>;

/** Returns the language for a list of BCP 47 tags, best first: Spanish if the interface has none of them. */
export function chooseLanguage(preferred: readonly string[]): Language {
  return preferred.map(languageOf).find((language) => language !== undefined) ?? DEFAULT_LANGUAGE;
}

/** The language of a BCP 47 tag, if the interface has it. */
export function languageOf(tag: string): Language | undefined {
  const [code = ""] = tag.toLowerCase().split("-");
  return Object.hasOwn(languages, code) ? (code as Language) : undefined;
}
