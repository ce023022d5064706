import { html, type TemplateResult } from "lit";
import RefreshCw from "lucide-static/dist/esm/icons/refresh-cw.mjs";
import { noticeStyles } from "../components/notice.ts";
import { listBody } from "../lists/list-body.ts";
import { MovementPages } from "../lists/movement-pages.ts";
import { icon } from "../look/icon.ts";
import { base, controls } from "../look/styles.ts";
import { Page } from "../page.ts";
import { listStyles } from "./list-styles.ts";

const PAGE_SIZE = "30";
const directions = Object.freeze(["all", "sent", "received"] as const);
type Direction = (typeof directions)[number];

/** What the person sent and received, newest first. */
export class HistoryPage extends Page {
  static override properties = { ...Page.properties, direction: { state: true }, pages: { state: true } };

  declare direction: Direction;
  declare pages: MovementPages;

  static override styles = [base, controls, noticeStyles, listStyles];

  constructor() {
    super();
    this.direction = "all";
  }

  override get name(): string {
    return this.context.words.list.history;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#choose("all");
  }

  override render(): TemplateResult {
    const { common, list } = this.context.words;
    const names: Record<Direction, string> = { all: list.all, sent: list.sent, received: list.receivedOnly };
    return html`<header>
        <h1 tabindex="-1">${list.history}</h1>
        <button class="plain round" aria-label=${common.refresh} @click=${() => this.pages.refresh()}>
          ${icon(RefreshCw)}
        </button>
      </header>
      <fieldset>
        <legend class="visually-hidden">${list.filter}</legend>
        ${directions.map(
          (direction) => html`<label>
            <input
              type="radio"
              name="direction"
              .checked=${direction === this.direction}
              @change=${() => this.#choose(direction)}
            />${names[direction]}
          </label>`,
        )}
      </fieldset>
      ${listBody(this.pages, this.context, { sentence: list.emptyHistory })}`;
  }

  #choose(direction: Direction): void {
    this.direction = direction;
    this.pages = new MovementPages((cursor) =>
      this.context.api.myHistory({
        query: { limit: PAGE_SIZE, direction, ...(cursor === undefined ? {} : { cursor }) },
      }),
    );
    this.pages.addEventListener("change", () => this.requestUpdate());
    void this.pages.refresh();
  }
}

customElements.get("cupo-history-page") ?? customElements.define("cupo-history-page", HistoryPage);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-history-page": HistoryPage;
  }
}
