import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import Check from "lucide-static/dist/esm/icons/check.mjs";
import Clock from "lucide-static/dist/esm/icons/clock.mjs";
import QrCode from "lucide-static/dist/esm/icons/qr-code.mjs";
import ScanLine from "lucide-static/dist/esm/icons/scan-line.mjs";
import WalletCards from "lucide-static/dist/esm/icons/wallet-cards.mjs";
import { lockChoice } from "../components/lock-choice.ts";
import { mark } from "../components/mark.ts";
import type { AppContext } from "../context/app-context.ts";
import { choicesStyles } from "../design/choices.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { type Sentence, whenText } from "../language/words.ts";
import { enrolStyles } from "./enrol-styles.ts";

/** The parts of the guide, each with its icon. */
const GUIDE = [
  ["quota", WalletCards],
  ["paying", ScanLine],
  ["receiving", QrCode],
] as const;

/**
 * Last steps of an enrolment, once the passkey is made: from when this device may pay, the choice of the app lock, and
 * a guide to the app; the person may skip them.
 */
export class EnrolDone extends LitElement {
  static override properties = {
    context: { attribute: false },
    person: { type: String },
    mayPayFrom: { attribute: false },
    step: { state: true },
    refused: { state: true },
  };

  declare context: AppContext;
  declare person: string;
  declare mayPayFrom: string | undefined;
  declare step: "lock" | "guide";
  /** The reason why the lock stayed as it was. */
  declare refused: Sentence | undefined;

  static override styles = [
    base,
    controls,
    surfaces,
    choicesStyles,
    enrolStyles,
    css`
      :host {
        flex: 1;
        min-height: 0;
        padding: 0;
      }
    `,
  ];

  constructor() {
    super();
    this.step = "lock";
  }

  override render(): TemplateResult {
    return this.step === "lock" ? this.#lock() : this.#guide();
  }

  #lock(): TemplateResult {
    const { clock, words } = this.context;
    const { enrol, settings } = wordsOf("account");
    const from = this.mayPayFrom;
    return html`<div class="step">
      <div class="head">
        ${mark()}
        <h1 tabindex="-1">${enrol.done(this.person)}</h1>
        <p class="note good">${icon(Check)}<span>${enrol.doneText}</span></p>
        ${
          from === undefined
            ? nothing
            : html`<p class="note warn">
                ${icon(Clock)}<span>${enrol.payFrom(whenText(from, words, clock.now()))}</span>
              </p>`
        }
      </div>
      <div class="card">
        ${lockChoice(this.context, this.refused, (refused) => this.#chose(refused))}
        <p class="soft tiny under">${settings.lockText}</p>
      </div>
      <div class="grow"></div>
      <div class="actions">
        <button class="primary large" @click=${this.#next}>${enrol.next}</button>
        <button class="plain large" @click=${this.#start}>${enrol.skip}</button>
      </div>
    </div>`;
  }

  #chose(refused: Sentence | undefined): void {
    this.refused = refused;
    this.requestUpdate();
  }

  #guide(): TemplateResult {
    const { enrol } = wordsOf("account");
    return html`<div class="step">
      <div class="grow">
        <h1 tabindex="-1">${enrol.guideTitle}</h1>
        <ul class="guide">
          ${GUIDE.map(
            ([part, sign]) => html`<li>
              <span class="sign">${icon(sign)}</span>
              <div><h2>${enrol.guide[part].title}</h2><p class="soft small">${enrol.guide[part].text}</p></div>
            </li>`,
          )}
        </ul>
      </div>
      <button class="primary large" @click=${this.#start}>${enrol.start}</button>
    </div>`;
  }

  async #next(): Promise<void> {
    this.step = "guide";
    await this.updateComplete;
    this.renderRoot.querySelector("h1")?.focus();
  }

  #start(): void {
    this.context.signedIn();
  }
}

customElements.get("cupo-enrol-done") ?? customElements.define("cupo-enrol-done", EnrolDone);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-enrol-done": EnrolDone;
  }
}
