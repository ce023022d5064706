import { languageName } from "../../src/language/language-name.ts";
import { type ShowcaseWords, showcaseWords } from "../../src/language/tables/demo.ts";

/** The texts of the showcase itself in each language; the elements bring their own words. */
export const words: Readonly<Record<string, ShowcaseWords>> = showcaseWords;

/** The name of each language of the showcase, in that language itself. */
export const languageNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(words).map((language) => [language, languageName(language)]),
);
