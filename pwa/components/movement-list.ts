import { html, LitElement, nothing, render, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { formatDay } from "../../src/time-format.ts";
import { base, surfaces } from "../design/styles.ts";
import { dayKey } from "../format/day-key.ts";
import type { Words } from "../language/words.ts";
import { movementRow } from "./movement-row.ts";
import { movementStyles } from "./movement-styles.ts";

/** Rows that are rendered or removed together: the document holds a few screens of rows, however long the list is. */
const PART_ROWS = 20;
/** Distance beyond the viewport at which rows are rendered, so that scrolling does not outrun them. */
const MARGIN = "1200px 0px";
/** Rows that are rendered at once, before the observer reports the visible parts. */
const FIRST_ROWS = 20;

/** A group of rows within a day. */
interface Part extends HTMLElement {
  movements: readonly Movement[];
}

/** Movements of a day, in parts. */
interface Day {
  readonly key: string;
  readonly parts: readonly (readonly Movement[])[];
}

function daysOf(movements: readonly Movement[]): readonly Day[] {
  const days = new Map<string, Movement[]>();
  for (const movement of movements) {
    const key = dayKey(movement.created_at);
    const rows = days.get(key) ?? [];
    rows.push(movement);
    days.set(key, rows);
  }
  return [...days].map(([key, rows]) => ({
    key,
    parts: Array.from({ length: Math.ceil(rows.length / PART_ROWS) }, (_, index) =>
      rows.slice(index * PART_ROWS, (index + 1) * PART_ROWS),
    ),
  }));
}

/**
 * List of a person's movements; each row leads to its receipt. With `days`, rows stand below the heading of their day
 * and are in the document only near the viewport, so that ten thousand of them scroll smoothly.
 */
export class MovementList extends LitElement {
  static override properties = {
    movements: { attribute: false },
    words: { attribute: false },
    nowMs: { attribute: false },
    masked: { type: Boolean },
    days: { type: Boolean },
    totalOf: { attribute: false },
  };

  declare movements: readonly Movement[];
  declare words: Words;
  /** Current time, by which days are named. */
  declare nowMs: number;
  /** Hides the amounts. */
  declare masked: boolean;
  /** True if days are headings; otherwise each row names its day. */
  declare days: boolean;
  /** Returns the text of a day's total; `isOldest` is true for the last day, of which more may be unknown. */
  declare totalOf: ((movements: readonly Movement[], isOldest: boolean) => string) | undefined;

  readonly #near = new Set<Part>();
  readonly #known = new Set<Part>();
  /** The rows whose height an emptied part keeps. */
  readonly #measured = new WeakMap<Part, readonly Movement[]>();
  #observer: IntersectionObserver | undefined;
  #groups: { readonly of: readonly Movement[]; readonly days: readonly Day[] } | undefined;

  static override styles = [base, surfaces, movementStyles];

  constructor() {
    super();
    this.movements = [];
    this.nowMs = 0;
    this.masked = false;
    this.days = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new IntersectionObserver((entries) => this.#moved(entries), { rootMargin: MARGIN });
    for (const part of this.#known) this.#observer.observe(part);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  override render(): unknown {
    if (!this.days) return html`<div class="rows">${this.#rows(this.movements)}</div>`;
    if (this.#groups?.of !== this.movements) this.#groups = { of: this.movements, days: daysOf(this.movements) };
    return repeat(
      this.#groups.days,
      ({ key }) => key,
      (day) => this.#day(day),
    );
  }

  protected override updated(): void {
    const present = new Set(this.renderRoot.querySelectorAll<Part>(".part"));
    for (const part of this.#known) if (!present.has(part)) this.#forget(part);
    let left = this.#known.size === 0 ? FIRST_ROWS : 0;
    for (const part of present) {
      this.#fit(part);
      if (this.#known.has(part)) continue;
      this.#known.add(part);
      this.#observer?.observe(part);
      if (left > 0) this.#near.add(part);
      left -= part.movements.length;
    }
    for (const part of this.#near) this.#draw(part);
    this.#estimate();
  }

  /** Takes the height of a row, with its line above, for that of all: text may be large, and may wrap. */
  #estimate(): void {
    const height = this.renderRoot.querySelector<HTMLElement>("li + li")?.offsetHeight;
    if (height) this.style.setProperty("--row", `${height}px`);
  }

  #day({ key, parts }: Day): TemplateResult {
    const [first] = parts[0] ?? [];
    const total = this.totalOf?.(parts.flat(), key === this.#groups?.days.at(-1)?.key);
    return html`<section aria-labelledby="day-${key}">
      <h2 id="day-${key}">
        ${first ? formatDay(first.created_at, this.words.tag, this.nowMs) : ""}<span> ${total}</span>
      </h2>
      <div class="rows">${parts.map((movements) => html`<div class="part" .movements=${movements}></div>`)}</div>
    </section>`;
  }

  #rows(movements: readonly Movement[]): TemplateResult {
    return html`<ul>
      ${repeat(
        movements,
        ({ id }) => id,
        (movement) => html`<li>${movementRow(movement, this)}</li>`,
      )}
    </ul>`;
  }

  /** Reserves the height of a part's rows: estimated from their number, or as last measured. */
  #fit(part: Part): void {
    part.style.setProperty("--rows", String(part.movements.length));
    if (this.#measured.get(part) !== part.movements) part.style.height = "";
  }

  #draw(part: Part): void {
    part.style.height = "";
    part.closest("section")?.classList.add("near");
    render(this.#rows(part.movements), part);
  }

  /** Renders rows before they scroll into view and removes distant ones; their height stays reserved. */
  #moved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { boundingClientRect, isIntersecting, target } of entries) {
      const part = target as Part;
      if (isIntersecting === this.#near.has(part)) continue;
      if (isIntersecting) {
        this.#near.add(part);
        this.#draw(part);
      } else if (!part.contains(this.#focused)) {
        this.#near.delete(part);
        this.#measured.set(part, part.movements);
        part.style.height = `${boundingClientRect.height}px`;
        render(nothing, part);
        const section = part.closest("section");
        section?.classList.toggle("near", section.querySelector(".row") !== null);
      }
    }
  }

  /** The focused element: scrolling must not remove the row that a keyboard user is on. */
  get #focused(): Element | null {
    return this.shadowRoot?.activeElement ?? null;
  }

  #forget(part: Part): void {
    this.#observer?.unobserve(part);
    this.#known.delete(part);
    this.#near.delete(part);
  }
}

customElements.get("cupo-movement-list") ?? customElements.define("cupo-movement-list", MovementList);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-movement-list": MovementList;
  }
}
