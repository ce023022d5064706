import type { Language } from "../../src/language/languages.ts";

/** The themes to choose from. */
export const THEMES = Object.freeze(["system", "light", "dark"] as const);
/** The app's theme: the device's, or always light or dark. */
export type Theme = (typeof THEMES)[number];

const LANGUAGE = "cupo.language";
/** `public/theme.js` reads it too, before the first paint. */
const THEME = "cupo.theme";

/** Background of each theme, for the browser's own bars; as in `design/base.css`. */
const PAPER = Object.freeze({ light: "#f7f6f2", dark: "#0e1513" });

/**
 * Language and theme that were chosen for this device; they survive sign-out, because they contain no personal data.
 */
export class Settings {
  readonly #storage: Storage;
  readonly #document: Document;

  constructor(storage: Storage, document: Document) {
    this.#storage = storage;
    this.#document = document;
    this.#show();
  }

  /** Returns the chosen language, followed by those that the browser prefers. */
  languages(preferred: readonly string[]): readonly string[] {
    const chosen = this.#storage.getItem(LANGUAGE);
    return chosen === null ? preferred : [chosen, ...preferred];
  }

  /** Sets the app's language from the next start on. */
  chooseLanguage(language: Language): void {
    this.#storage.setItem(LANGUAGE, language);
  }

  /** The chosen theme. */
  get theme(): Theme {
    const chosen = this.#storage.getItem(THEME);
    return THEMES.find((theme) => theme === chosen) ?? "system";
  }

  /** Shows a theme at once, and on every start from now on. */
  set theme(theme: Theme) {
    if (theme === "system") this.#storage.removeItem(THEME);
    else this.#storage.setItem(THEME, theme);
    this.#show();
  }

  #show(): void {
    const { theme } = this;
    const { dataset } = this.#document.documentElement;
    if (theme === "system") delete dataset.theme;
    else dataset.theme = theme;
    for (const meta of this.#document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const own = meta.media.includes("dark") ? "dark" : "light";
      meta.content = PAPER[theme === "system" ? own : theme];
    }
  }
}
