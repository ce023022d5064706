/**
 * Runs in a page: every text that a person sees or hears of it, but for what is marked as of another language: texts,
 * names and hints of elements, and the title. Placeholders of what is loading are blank.
 */
export function shownTexts(): readonly string[] {
  const { documentElement: root, title } = document;
  const isOwn = (element: Element): boolean => {
    const language = element.closest("[lang]")?.getAttribute("lang");
    return language === undefined || language === root.lang;
  };
  const texts = [title];
  const visit = (tree: Document | ShadowRoot): void => {
    for (const element of tree.querySelectorAll("*")) {
      if (element.shadowRoot !== null) visit(element.shadowRoot);
      const isSeen =
        element.checkVisibility({ visibilityProperty: true }) && element.closest(".blank, [inert]") === null;
      if (!isOwn(element) || !isSeen) continue;
      const named = ["aria-label", "title", "alt", "placeholder"].map((name) => element.getAttribute(name) ?? "");
      const own = [...element.childNodes].map((node) => (node instanceof Text ? node.data : ""));
      texts.push(...named, ...own);
    }
  };
  visit(document);
  return texts.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== "");
}

const BRACKETED = /\[[^[\]]*\]/g;

function withoutTranslated(text: string): string {
  const rest = text.replace(BRACKETED, "");
  return rest === text ? text : withoutTranslated(rest);
}

/** Lists the texts that are neither of the pseudo-language, which puts brackets around its texts, nor data. */
export function untranslated(texts: readonly string[], data: RegExp): readonly string[] {
  return texts.filter((text) => /\p{Script=Latin}/u.test(withoutTranslated(text).replace(data, "")));
}
