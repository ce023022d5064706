import { DEFAULT_LANGUAGE, type Language, languageOf, languages } from "../../src/language/languages.ts";

/** The language of the sentences, and the locale of the numbers and times within them. */
export interface Locale {
  readonly language: Language;
  readonly tag: string;
}

/** Returns the locale for a `lang` value; Spanish of Colombia for languages that the widgets do not speak. */
export function localeOf(lang: string): Locale {
  const tag = lang.trim();
  const known = languageOf(tag);
  const language = known ?? DEFAULT_LANGUAGE;
  // A malformed tag throws in Intl, and must not break the payment; that of a known language begins with two letters.
  const isRegional = /^..(-[a-z]{4})?-([a-z]{2}|\d{3})$/i.test(tag);
  return { language, tag: known && isRegional ? tag : languages[language] };
}

/**
 * Returns the `lang` that applies to an element: its own or its nearest ancestor's, out of any shadow roots; empty
 * without one.
 */
export function nearestLang(element: Element): string {
  const root = element.getRootNode();
  const outer = root instanceof ShadowRoot ? nearestLang(root.host) : "";
  return element.closest("[lang]")?.getAttribute("lang") ?? outer;
}
