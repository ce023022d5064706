import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { base, controls } from "../design/styles.ts";

/** A tap meant for the element that was here before must not pay. */
const ARMING_MS = 500;

/**
 * Button by which the person approves a payment, and in which everything of the payment is waited for. Dispatches `pay`
 * for a person's own press only (trusted events), and for none in the half second after it appears, or stops being busy
 * or blocked: a tap meant for what was there before must not pay.
 */
export class PayButton extends LitElement {
  static override properties = {
    label: { type: String },
    blocked: { type: Boolean, reflect: true },
    busy: { type: Boolean },
    elapsed: { attribute: false },
    armed: { state: true },
  };

  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  declare label: string;
  /** True while it cannot pay, because the balance is known to be too small: another control is the primary action. */
  declare blocked: boolean;
  /** True while something is waited for, which the label names. */
  declare busy: boolean;
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
      button:disabled:not([aria-busy]) {
        opacity: 0.55;
      }
      .spinner {
        width: 20px;
        height: 20px;
        border: 3px solid;
        border-top-color: #0000;
        border-radius: 50%;
        animation: turn 900ms linear infinite;
      }
      @keyframes turn {
        to {
          transform: rotate(1turn);
        }
      }
      @media (prefers-reduced-motion: reduce) {
        .spinner {
          animation-duration: 6s;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.label = "";
    this.blocked = false;
    this.busy = false;
    this.armed = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("busy") && !changed.has("blocked")) return;
    clearTimeout(this.#timer);
    this.armed = false;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (this.busy || this.blocked || (!changed.has("busy") && !changed.has("blocked"))) return;
    this.#shownAt = this.elapsed();
    this.#timer = setTimeout(() => this.#arm(), ARMING_MS);
  }

  override render(): TemplateResult {
    return html`<button
      class=${this.blocked ? "large" : "primary large"}
      ?disabled=${!this.armed}
      aria-busy=${this.busy ? "true" : nothing}
      @click=${this.#pressed}
    >
      ${this.busy ? html`<span class="spinner" aria-hidden="true"></span>` : nothing}${this.label}
    </button>`;
  }

  #arm(): void {
    this.armed = true;
  }

  #pressed(event: Event): void {
    if (!event.isTrusted || !this.armed || this.blocked || event.timeStamp - this.#shownAt < ARMING_MS) return;
    this.dispatchEvent(new Event("pay"));
  }
}

customElements.get("cupo-pay-button") ?? customElements.define("cupo-pay-button", PayButton);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-pay-button": PayButton;
  }
}
