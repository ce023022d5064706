import { css, html, LitElement, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { base } from "../design/styles.ts";
import { decimalMark, groupTypedAmount, moneyParts, parseTypedAmount } from "../format/money-format.ts";

/** Reports that the typed amount has changed. */
class AmountChange extends Event {
  readonly amount: number | undefined;

  constructor(amount: number | undefined) {
    super("amount-change");
    this.amount = amount;
  }
}

/**
 * Big text field for an amount of money, whose thousands are grouped while a person types. Dispatches `amount-change`;
 * Enter submits the form around it, as in any field.
 */
export class AmountField extends LitElement {
  static override properties = {
    label: { type: String },
    currency: { type: String },
    fault: { type: String },
    text: { state: true },
  };

  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  declare label: string;
  declare currency: string;
  /** Error message about the amount; empty if there is none. */
  declare fault: string;
  declare text: string;

  static override styles = [
    base,
    css`
      :host {
        display: block;
      }
      label {
        display: block;
        margin-bottom: 8px;
        font-size: 0.9375rem;
        line-height: 1.25rem;
        color: var(--cupo-ink-soft);
      }
      .field {
        display: flex;
        align-items: baseline;
        gap: 8px;
        min-height: 72px;
        padding: 8px 16px;
        border: 1px solid var(--cupo-ink-soft);
        border-radius: 16px;
        background: var(--cupo-surface);
        cursor: text;
      }
      .field:focus-within {
        outline: 3px solid var(--cupo-brand);
        outline-offset: 2px;
      }
      .symbol {
        font-size: 1.375rem;
        color: var(--cupo-ink-soft);
      }
      input {
        flex: 1;
        width: 0;
        padding: 0;
        border: 0;
        outline: 0;
        background: none;
        color: inherit;
        font: inherit;
        font-size: min(2.125rem, max(34px, 9vw));
        line-height: min(3.5rem, max(56px, 15vw));
        font-weight: 650;
        font-variant-numeric: tabular-nums;
      }
      input:focus-visible {
        outline: 0;
      }
      input::placeholder {
        color: var(--cupo-ink-soft);
        opacity: 1;
      }
      .fault {
        margin-top: 8px;
        font-size: 0.9375rem;
        color: var(--cupo-bad);
      }
      .fault:empty {
        margin: 0;
      }
    `,
  ];

  constructor() {
    super();
    this.label = "";
    this.currency = "COP";
    this.fault = "";
    this.text = "";
  }

  /** The amount in currency units; undefined while there is none. */
  get amount(): number | undefined {
    return parseTypedAmount(this.text);
  }

  /** Writes an amount into the field, as if it had been typed. */
  set amount(amount: number | undefined) {
    const text = amount === undefined ? "" : String(amount).replace(".", decimalMark());
    this.text = groupTypedAmount(text) ?? text;
  }

  override render(): TemplateResult {
    return html`<label for="amount">${this.label}</label>
      <div class="field" @click=${this.focus}>
        <span class="symbol" aria-hidden="true">${moneyParts(0, this.currency).symbol}</span>
        <input
          id="amount"
          inputmode="decimal"
          autocomplete="off"
          enterkeyhint="go"
          placeholder="0"
          aria-invalid=${this.fault === "" && groupTypedAmount(this.text) !== undefined ? "false" : "true"}
          aria-describedby="fault"
          .value=${live(this.text)}
          @input=${this.#typed}
          @keydown=${this.#pressed}
        />
      </div>
      <p id="fault" class="fault" role="alert">${this.fault}</p>`;
  }

  /** Groups the digits and keeps the caret behind the same digit; text that is no amount stays as typed. */
  #typed(event: InputEvent): void {
    const input = event.target as HTMLInputElement;
    const grouped = groupTypedAmount(input.value, this.text);
    if (grouped === undefined) this.text = input.value;
    else this.#show(input, grouped);
    this.dispatchEvent(new AmountChange(this.amount));
  }

  /** The form around the element does not see the field, which is in a shadow root. */
  #pressed({ key }: KeyboardEvent): void {
    if (key === "Enter") this.closest("form")?.requestSubmit();
  }

  #show(input: HTMLInputElement, grouped: string): void {
    const counts = (sign: string): boolean => /\d/.test(sign) || sign === decimalMark();
    const behind = [...input.value.slice(input.selectionStart ?? input.value.length)].filter(counts).length;
    this.text = grouped;
    input.value = this.text;
    let caret = this.text.length;
    for (let left = behind; left > 0 && caret > 0; caret--) if (counts(this.text[caret - 1] ?? "")) left--;
    input.setSelectionRange(caret, caret);
  }
}

customElements.get("cupo-amount-field") ?? customElements.define("cupo-amount-field", AmountField);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-amount-field": AmountField;
  }
}
