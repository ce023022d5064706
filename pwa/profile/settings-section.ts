import { html, LitElement, type TemplateResult } from "lit";
import Lock from "lucide-static/dist/esm/icons/lock.mjs";
import { languageName } from "../../src/language/language-name.ts";
import { type Language, languages } from "../../src/language/languages.ts";
import { lockChoice } from "../components/lock-choice.ts";
import type { AppContext } from "../context/app-context.ts";
import { choices, choicesStyles } from "../design/choices.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import type { Sentence } from "../language/words.ts";
import { THEMES } from "../settings/settings.ts";
import { profileStyles } from "./profile-styles.ts";

/** Each language is listed by its own name, so that its speakers find it in any language. */
const LANGUAGES = (Object.keys(languages) as Language[]).map((value) => {
  return { value, label: languageName(value), lang: value };
});

/** Profile section with the settings of this device alone: language, theme and lock. */
export class SettingsSection extends LitElement {
  static override properties = { context: { attribute: false }, refused: { state: true } };

  declare context: AppContext;
  /** The reason why the lock stayed as it was. */
  declare refused: Sentence | undefined;

  static override styles = [base, controls, surfaces, choicesStyles, profileStyles];

  override render(): TemplateResult {
    const { language, lock, settings } = this.context;
    const { settings: words } = wordsOf("account");
    return html`<section class="card" aria-labelledby="title">
      <h2 id="title">${words.title}</h2>
      ${choices<Language>({
        legend: words.language,
        name: "language",
        options: LANGUAGES,
        chosen: language,
        choose: (chosen) => {
          settings.chooseLanguage(chosen);
          // Every word on the screen changes.
          location.reload();
        },
      })}
      ${choices({
        legend: words.theme,
        name: "theme",
        options: THEMES.map((value) => ({ value, label: words.themes[value] })),
        chosen: settings.theme,
        choose: (chosen) => {
          settings.theme = chosen;
        },
      })}
      ${lockChoice(this.context, this.refused, (refused) => this.#chose(refused))}
      <p class="soft tiny">${words.lockText}</p>
      <button @click=${() => lock.lockNow()}>${icon(Lock)}${words.lockNow}</button>
    </section>`;
  }

  #chose(refused: Sentence | undefined): void {
    this.refused = refused;
    this.requestUpdate();
  }
}

customElements.get("cupo-settings-section") ?? customElements.define("cupo-settings-section", SettingsSection);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-settings-section": SettingsSection;
  }
}
