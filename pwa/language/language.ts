import type { Words } from "./words.ts";

const languages = {
  es: () => import("./es.ts"),
  en: () => import("./en.ts"),
  pt: () => import("./pt.ts"),
} as const satisfies Record<string, () => Promise<{ readonly words: Words }>>;

/** A language that the app speaks. */
export type Language = keyof typeof languages;

/** The first language of a person's list (BCP 47 tags, best first) that the app speaks; Spanish without one. */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const language = tag.toLowerCase().split("-")[0] ?? "";
    if (Object.hasOwn(languages, language)) return language as Language;
  }
  return "es";
}

/** Loads the words of one language, so that nobody downloads the others. */
export async function loadWords(language: Language): Promise<Words> {
  return (await languages[language]()).words;
}
