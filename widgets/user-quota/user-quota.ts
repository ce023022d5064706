import { type PropertyDeclarations, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import type { QuotaSession } from "../../src/contract/broker/broker.ts";
import { type UserQuotaWords, userQuotaWords } from "../../src/language/tables/elements.ts";
import { formatMoney } from "../../src/money-format.ts";
import { baseStyles, TOKENS } from "../shared/base-styles.ts";
import { cardStyles } from "../shared/card-styles.ts";
import { spoken } from "../shared/card-view.ts";
import { css } from "../shared/css.ts";
import { browserPlatform } from "../shared/platform.ts";
import { SessionElement } from "../shared/session-element.ts";
import { QuotaWatch } from "./quota-watch.ts";
import { userQuotaStyles } from "./user-quota.styles.ts";
import { eventFor, type UserQuotaEventMap } from "./user-quota-events.ts";
import type { UserQuotaChange, UserQuotaPhase, UserQuotaState } from "./user-quota-state.ts";
import { asOfText, userQuotaView } from "./user-quota-view.ts";

const MOST_LINES = 5;

/**
 * Shows a user's quota, status, score and last movements, as long as the user lets the merchant show them.
 *
 * @element user-quota
 * @fires {CustomEvent<QuotaDetail>} quota-loaded - The quota is shown, or something new of it.
 * @fires {CustomEvent<QuotaErrorDetail>} quota-error - It cannot be shown, or there is no news of it at the moment.
 * @csspart card - Everything that the element draws.
 * @csspart name - The user's name.
 * @csspart status - How the user stands: an icon and a word.
 * @csspart amount - What can be spent.
 * @csspart quota - The posted quota and what is held of it, where they differ.
 * @csspart mask - The button that hides the amounts and shows them again.
 * @csspart score - The score as text with its meter.
 * @csspart meter - The score as a bar.
 * @csspart movements - The last movements with their heading.
 * @csspart movement - One movement.
 * @csspart movement-amount - The amount of a movement.
 * @csspart notice - That there is no connection.
 * @csspart as-of - Of when the shown quota is.
 * @csspart refresh - The button that asks for news.
 * @csspart button - Each button.
 * @csspart outcome - What is shown in place of a quota that cannot be shown.
 * @csspart title - The outcome's sentence.
 * @csspart way-on - The button that leads on from an outcome.
 * @cssstate loading - The quota is on its way.
 * @cssstate shown - The quota is shown.
 * @cssstate refused - The merchant may not see it: never connected, or no longer.
 * @cssstate failed - It cannot be shown.
 * @cssstate offline - There is no news at the moment; beside `loading` or `shown`.
 * @cssstate masked - The amounts are hidden; beside any other.
 */
export class UserQuota extends SessionElement {
  static override properties: PropertyDeclarations = {
    masked: { type: Boolean, reflect: true },
    movements: { type: Number },
    hideScore: { type: Boolean, attribute: "hide-score" },
  };
  static override styles = unsafeCSS(css`:host {${TOKENS}}` + baseStyles + cardStyles + userQuotaStyles);

  /**
   * True while the amounts and the score are hidden; the person changes it with the button.
   *
   * @reflect
   */
  declare masked: boolean | undefined;
  /** How many of the last movements are shown, from 0 to 5; 5 without it. */
  declare movements: number | undefined;
  /** Leaves the score out. */
  declare hideScore: boolean | undefined;

  protected override readonly watch = new QuotaWatch({
    platform: browserPlatform,
    caller: this.caller,
    tell: (news, state) => this.#tell(news, state),
    changed: () => this.requestUpdate(),
  });
  /** The person has asked for news, and hears also that there is none. */
  #isAsked = false;

  /** Where the element stands. */
  get phase(): UserQuotaPhase {
    return this.watch.state.phase;
  }

  /** Asks for news at once, as the button does. */
  refresh(): void {
    this.#isAsked = true;
    this.watch.checkNow();
  }

  /** Asks for another session and shows its quota, as the button of an element that has failed does. */
  override restart(): void {
    this.watch.restart();
  }

  protected override get shownStates(): readonly string[] {
    return this.masked ? [...super.shownStates, "masked"] : super.shownStates;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const { session } = this.watch.state;
    const { masked } = this;
    if (changed.has("masked") && session !== undefined) this.announce(() => this.#loadedSentence(session, masked));
  }

  protected override renderCard(): TemplateResult {
    return userQuotaView({
      state: this.watch.state,
      words: this.#words,
      locale: this.locale.tag,
      masked: !!this.masked,
      hideScore: !!this.hideScore,
      lines: this.#lines,
      toggleMask: () => {
        this.masked = !this.masked;
      },
      checkNow: () => this.refresh(),
      restart: () => this.restart(),
    });
  }

  get #words(): UserQuotaWords {
    return userQuotaWords[this.locale.language];
  }

  get #lines(): number {
    return Math.max(0, Math.min(MOST_LINES, this.movements ?? MOST_LINES)) || 0;
  }

  #tell(news: UserQuotaChange, state: UserQuotaState): void {
    const [isAsked, masked] = [this.#isAsked, this.masked];
    const sentence = () => this.#sentenceFor(news, state, { isAsked, masked });
    if (sentence() !== "") this.announce(sentence);
    this.#isAsked = false;
    const event = eventFor(news, state, this);
    if (event !== undefined) this.dispatchEvent(event);
  }

  /** Returns the screen reader announcement of a piece of news; empty where nobody needs to hear it. */
  #sentenceFor(
    news: UserQuotaChange,
    state: UserQuotaState,
    { isAsked, masked }: { readonly isAsked: boolean; readonly masked: boolean | undefined },
  ): string {
    const words = this.#words;
    const { tag } = this.locale;
    if (news === "refused" || news === "failed") return spoken(words[news]);
    if (news === "offline") return words.offline;
    if (news === "loaded" && state.session !== undefined) return this.#loadedSentence(state.session, masked);
    return isAsked || news === "online" ? asOfText(words, state, tag) : "";
  }

  #loadedSentence({ quota_available: available, currency }: QuotaSession, masked: boolean | undefined): string {
    const { available: label, hidden, none } = this.#words;
    if (available === null) return none;
    return `${label}: ${masked ? hidden : formatMoney(available, currency, this.locale.tag)}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "user-quota": UserQuota;
  }
  interface GlobalEventHandlersEventMap extends UserQuotaEventMap {}
}
