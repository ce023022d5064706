import { type PropertyDeclarations, type TemplateResult, unsafeCSS } from "lit";
import { type RechargeFormWords, rechargeFormWords } from "../../src/language/tables/elements.ts";
import { baseStyles, TOKENS } from "../shared/base-styles.ts";
import { cardStyles } from "../shared/card-styles.ts";
import { spoken } from "../shared/card-view.ts";
import { css } from "../shared/css.ts";
import { browserPlatform } from "../shared/platform.ts";
import { SessionElement } from "../shared/session-element.ts";
import { transactionStyles } from "../shared/transaction-styles.ts";
import { RechargeController } from "./recharge-controller.ts";
import { rechargeFormStyles } from "./recharge-form.styles.ts";
import { eventFor, type RechargeFormEventMap } from "./recharge-form-events.ts";
import {
  isUnderWay,
  type RechargeChange,
  type RechargePhase,
  type RechargeState,
  type Search,
} from "./recharge-form-state.ts";
import {
  awayText,
  faultText,
  moneyText,
  outcomeOf,
  type RechargeFormModel,
  rechargeFormView,
} from "./recharge-form-view.ts";
import { mostOf, typedAmount } from "./typed-amount.ts";

/** Returns the screen reader announcement of a piece of news. */
function announcementFor(news: RechargeChange, model: Pick<RechargeFormModel, "state" | "words" | "locale">): string {
  const { state, words } = model;
  const sentences: { readonly [news in RechargeChange]?: string | undefined } = {
    find: state.session?.seller,
    amount: `${words.rechargeTo} ${state.person?.name}`,
    selling: words.loading,
    noticed: faultText(state, words),
    missed: faultText(state, words),
    confirm: words.confirm,
    offline: awayText(state, words),
    online: words.online,
  };
  return sentences[news] ?? spoken(outcomeOf(model));
}

/** Sample amount that shows the notation. */
const SAMPLE_AMOUNT = 20_000;

/**
 * A till that sells top-ups: finds the person, takes an amount, has it confirmed, and says what became of it.
 *
 * @element recharge-form
 * @fires {CustomEvent<RechargeDetail>} recharge-done - A top-up was sold; trust the server's word for it.
 * @fires {CustomEvent<RechargeDetail>} recharge-rejected - A top-up was rejected, and no money moved.
 * @fires {CustomEvent<RechargeErrorDetail>} recharge-error - Something did not work.
 * @csspart card - Everything that the element draws.
 * @csspart field - The field for a number or an amount.
 * @csspart fault - What is wrong with the field.
 * @csspart name - The line with the masked name of the person who receives the top-up.
 * @csspart preset - Each of them.
 * @csspart amount - The amount to be confirmed, or that was sold.
 * @csspart notice - A passing notice: offline, or why to confirm again.
 * @csspart actions - The row of buttons of a step.
 * @csspart button - Each button.
 * @csspart next - The button that leads to the next step.
 * @csspart way-on - The button that sells, or leads on from an outcome.
 * @csspart outcome - What is to be confirmed, and what became of it.
 * @csspart title - The outcome's sentence.
 * @csspart sales - What the till sold today.
 * @csspart sale - Each line of it.
 * @cssstate loading - The session is on its way.
 * @cssstate find - The person is to be found.
 * @cssstate amount - The amount is to be chosen.
 * @cssstate confirm - Person and amount are to be confirmed.
 * @cssstate selling - The sale is on its way.
 * @cssstate unsure - It is not known yet whether it was sold; the element keeps asking.
 * @cssstate receipt - It was sold.
 * @cssstate rejected - It was rejected.
 * @cssstate failed - The till cannot be opened.
 * @cssstate offline - The broker cannot be reached at the moment; beside another state.
 */
export class RechargeForm extends SessionElement {
  static override properties: PropertyDeclarations = {
    presets: {},
  };
  static override styles = unsafeCSS(
    css`:host {${TOKENS}}` + baseStyles + cardStyles + transactionStyles + rechargeFormStyles,
  );

  /** Amounts to choose from, in currency units, such as `10000 20000 50000`; any other can be typed. */
  declare presets: string | undefined;

  protected override readonly watch = new RechargeController({
    platform: browserPlatform,
    caller: this.caller,
    newKey: () => crypto.randomUUID(),
    tell: (news, state) => this.#tell(news, state),
    changed: () => this.requestUpdate(),
  });
  #by: Search["by"] = "phone";
  /** Has the browser ask before it leaves the page. */
  readonly #hold = (event: Event): void => event.preventDefault();

  /** The step that the till is at. */
  get phase(): RechargePhase {
    return this.watch.state.phase;
  }

  /** Opens the till anew, with another session; not while it is unknown whether something was sold. */
  override restart(): void {
    this.watch.restart();
  }

  protected override renderCard(): TemplateResult {
    const presets = (this.presets ?? "").split(/[\s,]+/).map(Number);
    return rechargeFormView({
      ...this.#model,
      by: this.#by,
      presets: presets.filter((amount) => amount > 0),
      desk: this.watch,
      lookFor: (by) => {
        this.#by = by;
        this.requestUpdate();
      },
      submit: (event) => this.#submit(event),
    });
  }

  protected override updated(): void {
    super.updated();
    this.#holdPage();
  }

  protected override pause(): void {
    super.pause();
    this.#holdPage();
  }

  /** Blocks leaving the page while a sale's outcome is not known: only this page has its key, and would lose it. */
  #holdPage(): void {
    const turn = this.isConnected && isUnderWay(this.watch.state) ? addEventListener : removeEventListener;
    turn("beforeunload", this.#hold);
  }

  get #model(): { state: RechargeState; words: RechargeFormWords; locale: string } {
    const { language, tag } = this.locale;
    return { state: this.watch.state, words: rechargeFormWords[language], locale: tag };
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    const { typed: input } = event.target as HTMLFormElement & { readonly typed: HTMLInputElement };
    const { watch: desk } = this;
    const { state, locale } = this.#model;
    if (state.phase === "find") {
      if (input.checkValidity()) desk.search({ by: this.#by, text: input.value.trim() });
      else desk.refuse({ code: "invalid_request" });
    } else if (state.session) {
      const amount = typedAmount(input.value, locale);
      const most = mostOf(state.session);
      if (!amount) desk.refuse({ code: "unreadable_amount", value: SAMPLE_AMOUNT.toLocaleString(locale) });
      else if (amount > most) desk.refuse({ code: "over_most", value: moneyText(most, this.#model) });
      else desk.choose(amount);
    }
  }

  #tell(news: RechargeChange, state: RechargeState): void {
    this.announce(() => announcementFor(news, { ...this.#model, state }));
    const event = eventFor(news, state);
    if (event) this.dispatchEvent(event);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "recharge-form": RechargeForm;
  }
  interface GlobalEventHandlersEventMap extends RechargeFormEventMap {}
}
