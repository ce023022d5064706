import { css, html, LitElement, type TemplateResult } from "lit";
import { base, controls } from "../design/styles.ts";

/** A tap meant for the element that was here before must not pay. */
const ARMING_MS = 500;

/**
 * Button by which the person approves a payment. Dispatches `pay` for a person's own press only (trusted events), and
 * for none in its first half second: a tap meant for the element that was there before must not pay.
 */
export class PayButton extends LitElement {
  static override properties = {
    label: { type: String },
    quiet: { type: Boolean },
    elapsed: { attribute: false },
    armed: { state: true },
  };

  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  declare label: string;
  /** True if another control is the page's primary action, because the payment is likely to fail. */
  declare quiet: boolean;
  /** Clock on the time base of `Event.timeStamp`. */
  declare elapsed: () => number;
  declare armed: boolean;
  #shownAt = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    base,
    controls,
    css`
      :host {
        display: block;
      }
      button:disabled {
        opacity: 0.55;
      }
    `,
  ];

  constructor() {
    super();
    this.label = "";
    this.quiet = false;
    this.armed = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override firstUpdated(): void {
    this.#shownAt = this.elapsed();
    this.#timer = setTimeout(() => this.#arm(), ARMING_MS);
  }

  override render(): TemplateResult {
    return html`<button
      class=${this.quiet ? "large" : "primary large"}
      ?disabled=${!this.armed}
      @click=${this.#pressed}
    >
      ${this.label}
    </button>`;
  }

  #arm(): void {
    this.armed = true;
  }

  #pressed(event: Event): void {
    if (!event.isTrusted || !this.armed || event.timeStamp - this.#shownAt < ARMING_MS) return;
    this.dispatchEvent(new Event("pay"));
  }
}

customElements.get("cupo-pay-button") ?? customElements.define("cupo-pay-button", PayButton);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-pay-button": PayButton;
  }
}
