import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import ArrowDownLeft from "lucide-static/dist/esm/icons/arrow-down-left.mjs";
import X from "lucide-static/dist/esm/icons/x.mjs";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { icon } from "../design/icon.ts";
import { base, controls } from "../design/styles.ts";
import { formatMoney } from "../format/money-format.ts";
import type { Words } from "../language/words.ts";

/** Long enough to read twice; the time starts anew when pointer or focus leaves the toast. */
const SHOWN_MS = 8_000;

/** Shows over any page that money has arrived, with a link to its receipt. It hides by itself; the lists keep it. */
export class ArrivalToast extends LitElement {
  static override properties = { words: { attribute: false }, arrival: { state: true }, masked: { state: true } };

  declare words: Words;
  declare arrival: Movement | undefined;
  /** True if the person hides amounts: the toast then omits the amount. */
  declare masked: boolean;
  #timer = 0;

  static override styles = [
    base,
    controls,
    css`
      :host {
        position: fixed;
        z-index: 2;
        inset: calc(8px + env(safe-area-inset-top)) 16px auto;
        pointer-events: none;
      }
      .toast {
        display: flex;
        align-items: center;
        gap: 12px;
        max-width: 528px;
        min-height: 64px;
        margin: 0 auto;
        padding: 4px 4px 4px 16px;
        border: 1px solid var(--cupo-line);
        border-radius: 16px;
        background: var(--cupo-surface);
        pointer-events: auto;
        animation: come 180ms ease-out;
      }
      a {
        display: flex;
        flex: 1;
        align-items: center;
        gap: 12px;
        min-width: 0;
        min-height: 56px;
        color: inherit;
        text-decoration: none;
      }
      .icon {
        color: var(--cupo-good);
        font-size: 1.5rem;
      }
      .words {
        display: grid;
        min-width: 0;
      }
      .words span {
        overflow-wrap: anywhere;
      }
      @keyframes come {
        from {
          opacity: 0;
          translate: 0 -8px;
        }
      }
      @media (prefers-reduced-motion: reduce) {
        .toast {
          animation: none;
        }
      }
    `,
  ];

  /** Shows an arrival in place of the previous one. */
  show(arrival: Movement, masked: boolean): void {
    this.arrival = arrival;
    this.masked = masked;
    this.#leaveLater();
  }

  /** Hides the toast at once. */
  hide(): void {
    clearTimeout(this.#timer);
    this.arrival = undefined;
  }

  override render(): TemplateResult {
    return html`<div role="status">${this.arrival === undefined ? nothing : this.#toast(this.arrival)}</div>`;
  }

  #toast({ id, amount, currency, counterparty }: Movement): TemplateResult {
    const { common, list, receive } = this.words;
    const said = this.masked ? receive.paidTitle : receive.paid(formatMoney(amount, currency));
    const [stay, leave] = [this.#stay, this.#leaveLater];
    return html`<div class="toast" @pointerenter=${stay} @focusin=${stay} @pointerleave=${leave} @focusout=${leave}>
      <a href=${`/receipt#${id}`} @click=${this.hide}>
        ${icon(ArrowDownLeft)}
        <span class="words">
          <strong>${said}</strong><span class="soft small">${list.receivedFrom(counterparty)}</span>
        </span>
      </a>
      <button class="plain round" aria-label=${common.close} @click=${this.hide}>${icon(X)}</button>
    </div>`;
  }

  #stay(): void {
    clearTimeout(this.#timer);
  }

  #leaveLater(): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.hide(), SHOWN_MS);
  }
}

customElements.get("cupo-arrival-toast") ?? customElements.define("cupo-arrival-toast", ArrivalToast);
