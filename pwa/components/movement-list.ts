import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import ArrowDownLeft from "lucide-static/dist/esm/icons/arrow-down-left.mjs";
import ChevronDown from "lucide-static/dist/esm/icons/chevron-down.mjs";
import CircleX from "lucide-static/dist/esm/icons/circle-x.mjs";
import Clock from "lucide-static/dist/esm/icons/clock.mjs";
import Undo from "lucide-static/dist/esm/icons/undo-2.mjs";
import type { Movement } from "../../src/contract/broker.ts";
import { displayReference } from "../format/display-reference.ts";
import { initial } from "../format/initial.ts";
import { formatMoney } from "../format/money-format.ts";
import { dayKey, formatDay, formatExactly, formatTime } from "../format/when-format.ts";
import type { Words } from "../language/words.ts";
import { sentenceOf } from "../language/words.ts";
import { icon } from "../look/icon.ts";
import { base, surfaces } from "../look/styles.ts";
import { problemOfReason } from "../payment/problem.ts";

const signs: Readonly<Partial<Record<Movement["status"], string>>> = Object.freeze({
  pending: Clock,
  rejected: CircleX,
  reversed: Undo,
});

/** Payments by day: who, when, how much; each opens to its reference, exact time and state. */
export class MovementList extends LitElement {
  static override properties = {
    movements: { attribute: false },
    words: { attribute: false },
    nowMs: { attribute: false },
    masked: { type: Boolean },
    days: { type: Boolean },
  };

  declare movements: readonly Movement[];
  declare words: Words;
  /** The present, by which days are named. */
  declare nowMs: number;
  /** Hides the amounts. */
  declare masked: boolean;
  /** Whether days are headings; without them each row names its day. */
  declare days: boolean;

  static override styles = [
    base,
    surfaces,
    css`
      :host {
        display: block;
      }
      h2 {
        position: sticky;
        top: 0;
        z-index: 1;
        padding: 16px 0 8px;
        background: var(--cupo-paper);
        color: var(--cupo-ink-soft);
        font-size: 13px;
        line-height: 16px;
      }
      h2::first-letter {
        text-transform: uppercase;
      }
      ul {
        border: 1px solid var(--cupo-line);
        border-radius: 16px;
        background: var(--cupo-surface);
        overflow: clip;
      }
      li + li {
        border-top: 1px solid var(--cupo-line);
      }
      summary {
        display: grid;
        grid-template-columns: 44px 1fr auto 16px;
        gap: 2px 12px;
        align-items: center;
        min-height: 68px;
        padding: 12px;
        cursor: pointer;
        list-style: none;
        border-radius: 16px;
      }
      summary:focus-visible {
        outline-offset: -3px;
      }
      summary::-webkit-details-marker {
        display: none;
      }
      .avatar {
        grid-area: 1 / 1 / 3 / 2;
      }
      .name {
        grid-area: 1 / 2 / 2 / 3;
        align-self: end;
      }
      .turn {
        grid-area: 1 / 4 / 3 / 5;
      }
      .under {
        grid-area: 2 / 2 / 3 / 4;
        align-self: start;
      }
      .name,
      .under {
        min-width: 0;
        overflow: hidden;
      }
      .name {
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        line-height: 20px;
        overflow-wrap: anywhere;
      }
      .under {
        text-overflow: ellipsis;
        white-space: nowrap;
        font-size: 13px;
        line-height: 18px;
        color: var(--cupo-ink-soft);
      }
      .under .icon {
        font-size: 11px;
      }
      .amount {
        grid-area: 1 / 3 / 2 / 4;
        align-self: end;
        text-align: end;
        font-weight: 600;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      .amount .icon {
        font-size: 13px;
      }
      .struck {
        color: var(--cupo-ink-soft);
        text-decoration: line-through;
        font-weight: 400;
      }
      .turn {
        font-size: 13px;
        color: var(--cupo-ink-soft);
        transition: transform 180ms ease-out;
      }
      details[open] .turn {
        transform: rotate(180deg);
      }
      .facts {
        padding: 4px 16px 16px;
      }
      @media (prefers-reduced-motion: reduce) {
        .turn {
          transition: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.movements = [];
    this.nowMs = 0;
    this.masked = false;
    this.days = false;
  }

  override render(): unknown {
    if (!this.days) return this.#rows(this.movements);
    const groups = Map.groupBy(this.movements, ({ created_at }) => dayKey(created_at));
    return repeat(
      groups,
      ([day]) => day,
      ([, movements]) => html`<section>
        <h2>${movements[0] ? formatDay(movements[0].created_at, this.nowMs, this.words) : ""}</h2>
        ${this.#rows(movements)}
      </section>`,
    );
  }

  #rows(movements: readonly Movement[]): TemplateResult {
    return html`<ul>
      ${repeat(
        movements,
        ({ id }) => id,
        (movement) => html`<li>${this.#row(movement)}</li>`,
      )}
    </ul>`;
  }

  #row(movement: Movement): TemplateResult {
    const { counterparty, created_at, kind, status } = movement;
    const { list } = this.words;
    const sign = signs[status];
    const day = this.days ? "" : `${formatDay(created_at, this.nowMs, this.words)}, `;
    const when = day + formatTime(created_at, this.words);
    const what = status === "approved" ? list.kind[kind] : list.status[status];
    return html`<details>
      <summary>
        <span class="avatar" aria-hidden="true">${initial(counterparty)}</span>
        <span class="name">${counterparty}</span>
        <span class="under">${sign === undefined ? nothing : icon(sign)} ${what} · ${when}</span>
        ${this.#amount(movement)}
        <span class="turn">${icon(ChevronDown)}</span>
      </summary>
      ${this.#facts(movement)}
    </details>`;
  }

  #amount({ amount, currency, direction, status }: Movement): TemplateResult {
    if (this.masked) return html`<span class="amount" aria-label=${this.words.home.hidden}>•••</span>`;
    const text = formatMoney(amount, currency);
    if (status === "rejected") return html`<span class="amount struck">${text}</span>`;
    if (direction === "sent") return html`<span class="amount">−${text}</span>`;
    return html`<span class="amount good">${icon(ArrowDownLeft)}+${text}</span>`;
  }

  #facts(movement: Movement): TemplateResult {
    const { common, list } = this.words;
    const { balance_after, currency, reason, reversed_amount } = movement;
    const fact = (name: string, value: unknown): TemplateResult =>
      html`<dt>${name}</dt>
        <dd>${value}</dd>`;
    const sum = (amount: number): string => (this.masked ? "•••" : formatMoney(amount, currency));
    return html`<dl class="facts">
      ${fact(common.reference, html`<span class="reference">${displayReference(movement.reference)}</span>`)}
      ${fact(common.date, formatExactly(movement.created_at, this.words))}
      ${fact(list.state, list.status[movement.status])}
      ${reason === undefined ? nothing : fact(list.reason, sentenceOf(this.words, problemOfReason(reason)).title)}
      ${reversed_amount ? fact(list.refunded, sum(reversed_amount)) : nothing}
      ${balance_after === undefined ? nothing : fact(list.balanceAfter, sum(balance_after))}
    </dl>`;
  }
}

customElements.get("cupo-movement-list") ?? customElements.define("cupo-movement-list", MovementList);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-movement-list": MovementList;
  }
}
