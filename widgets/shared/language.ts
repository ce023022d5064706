/** A language that the widgets speak. */
export type Language = "es" | "en" | "pt";

/** The language of the sentences, and the locale of the numbers and times within them. */
export interface Locale {
  readonly language: Language;
  readonly tag: string;
}

/** Locale of a language without a region: pages that just say `es` are those of the scheme's home, Colombia. */
const USUAL_TAGS: Readonly<Record<Language, string>> = Object.freeze({ es: "es-CO", en: "en", pt: "pt-BR" });

/** The locale for a `lang` value; Spanish of Colombia for languages that the widgets do not speak. */
export function localeOf(lang: string): Locale {
  const tag = lang.trim();
  const [primary = ""] = tag.toLowerCase().split("-");
  if (!Object.hasOwn(USUAL_TAGS, primary)) return localeOf("es");
  const language = primary as Language;
  // A malformed tag throws in Intl, and must not break the payment.
  const isRegional = /^[a-z]{2,3}(-[a-z]{4})?-([a-z]{2}|\d{3})$/i.test(tag);
  return { language, tag: isRegional ? tag : USUAL_TAGS[language] };
}

/** The `lang` that applies to an element: its own or its nearest ancestor's, out of any shadow roots. */
export function nearestLang(element: Element): string {
  const root = element.getRootNode();
  const outer = root instanceof ShadowRoot ? nearestLang(root.host) : "";
  return element.closest("[lang]")?.getAttribute("lang") ?? outer;
}
